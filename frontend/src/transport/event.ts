import type { HostEvent } from './transport';

/** Says whether what a host sent is one of its events. */
export function isEvent(heard: unknown): heard is HostEvent {
  if (typeof heard !== 'object' || heard === null) return false;
  const event = heard as Record<string, unknown>;
  const part = event[String(event['name'])];
  return (event['name'] === 'status' || event['name'] === 'changed') && typeof part === 'object' && part !== null;
}
