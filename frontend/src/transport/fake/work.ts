// Long work of invented installations: it goes on with the clock, can be paused
// and given up.

import type { Status } from '../../api/types.gen';
import { ApiError } from '../transport';

type Progress = Pick<Status, 'busy' | 'job' | 'paused' | 'agent' | 'sources' | 'sourcesDone' | 'done' | 'total' | 'rate' | 'secondsLeft'>;

const nothing: Progress = { busy: false, job: '', paused: false, agent: '', sources: 0, sourcesDone: 0, done: 0, total: 0, rate: 0, secondsLeft: null };
const paused = new Set<string>();
const ended = new Set<string>();
const rebuilt = new Map<string, number>();

/** How long the index of an invented installation takes, in milliseconds. */
export const rebuildTakes = 7000;

export function progressOf(where: string, now: number): Progress {
  const began = rebuilt.get(where);
  if (began !== undefined && now - began < rebuildTakes) {
    const share = (now - began) / rebuildTakes;
    return { ...nothing, busy: true, job: 'rebuild', agent: 'main', sources: 412, sourcesDone: Math.floor(412 * share), done: Math.round(1.1e9 * share), total: 1.1e9, rate: 98e6, secondsLeft: Math.round(11 * (1 - share)) };
  }
  if (ended.has(where)) return nothing;
  const stopped = paused.has(where);
  const reading = { busy: !stopped, job: 'reading', paused: stopped, agent: 'main', sources: 412, total: 1.1e9, rate: stopped ? 0 : 98e6 };
  if (where === 'slow') return { ...reading, sourcesDone: 46, done: 120e6, secondsLeft: 10 };
  if (where === 'first') return { ...reading, sourcesDone: 165, done: 440e6, secondsLeft: 7 };
  return nothing;
}

export function tellReading(where: string, step: string): object {
  if (step === 'pause') paused.add(where);
  else if (step === 'resume') paused.delete(where);
  else if (step === 'cancel') ended.add(where);
  else throw new ApiError('invalid', `there is no step ${step}`);
  return {};
}

export async function rebuild(where: string): Promise<object> {
  rebuilt.set(where, Date.now());
  await new Promise((done) => setTimeout(done, rebuildTakes));
  return {};
}
