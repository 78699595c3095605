import { httpTransport } from './http';
import type { Transport } from './transport';
import { boundIn, windowTransport } from './wails';

/**
 * The transport of this host. Invented data is only part of a build in the
 * mode "fake": in others the import below is dropped.
 */
export async function hostTransport(): Promise<Transport> {
  if (import.meta.env.MODE === 'fake') {
    const { fakeTransport } = await import('./fake/transport');
    return fakeTransport();
  }
  const bound = boundIn(window);
  return bound ? windowTransport(bound) : httpTransport();
}
