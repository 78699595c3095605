// The course of a session's context as steps of a level. Pure; tokens.

import type { Tide } from '../api/types.gen';
import { ticks } from './scale';

/** What the level across is drawn over: time, or the number of the call. */
export type Scale = 'time' | 'turns';

/**
 * Steps in the order of time, in columns. A step holds from its place to the
 * next one. A call is at its number, a fall half a number before the call
 * behind it.
 */
export interface Steps {
  length: number;
  at: Float64Array;
  turn: Float64Array;
  level: Float64Array;
  /** 0 where the level is only the one before, carried on. */
  known: Uint8Array;
  /** Position of the call, -1 for a fall. */
  call: Int32Array;
  /** Position of the fall, -1 for a call. */
  fall: Int32Array;
}

/** What was sent in a call; null where no usage was recorded. */
export function sentOf(tide: Tide, i: number): number | null {
  const input = tide.input[i] ?? -1;
  if (input < 0) return null;
  return input + Math.max(0, tide.cacheRead[i] ?? 0) + Math.max(0, tide.cacheWrite[i] ?? 0);
}

/** Makes the steps. A superseded fall is none: the level went on without it. */
export function stepsOf(tide: Tide): Steps {
  const falls = tide.falls.map((f, i) => ({ ...f, i })).filter((f) => !f.superseded).toSorted((a, b) => a.call - b.call || a.at - b.at);
  const length = tide.at.length + falls.length;
  const out: Steps = {
    length, at: new Float64Array(length), turn: new Float64Array(length), level: new Float64Array(length),
    known: new Uint8Array(length), call: new Int32Array(length).fill(-1), fall: new Int32Array(length).fill(-1),
  };
  let n = 0;
  let level = 0;
  let next = 0;
  const put = (at: number, turn: number, to: number | null): void => {
    level = to ?? level;
    out.at[n] = Math.max(at, out.at[n - 1] ?? -Infinity); // a clock that went back
    out.turn[n] = turn;
    out.level[n] = level;
    out.known[n] = to === null ? 0 : 1;
    n++;
  };
  for (let i = 0; i <= tide.at.length; i++) {
    for (; next < falls.length && ((falls[next]?.call ?? 0) <= i || i === tide.at.length); next++) {
      const fall = falls[next];
      if (!fall) break;
      out.fall[n] = fall.i;
      put(fall.at, i + 0.5, fall.after ?? (fall.kind === 'reset' ? 0 : null));
      if (fall.after === null && fall.kind !== 'reset') out.level[n - 1] = level = Math.min(level, sentOf(tide, i) ?? level);
    }
    if (i === tide.at.length) break;
    out.call[n] = i;
    put(tide.at[i] ?? 0, i + 1, sentOf(tide, i));
  }
  return out;
}

/** The steps with the last level held to a moment behind it: a context stays as it is while nobody speaks. */
export function heldTo(steps: Steps, at: number): Steps {
  const n = steps.length;
  const last = steps.at[n - 1];
  if (last === undefined || at <= last) return steps;
  const more = <A extends Float64Array | Uint8Array | Int32Array>(of: A, value: number): A => {
    const out = new (of.constructor as new (length: number) => A)(n + 1);
    out.set(of as never);
    out[n] = value;
    return out;
  };
  return {
    length: n + 1, at: more(steps.at, at), turn: more(steps.turn, (steps.turn[n - 1] ?? 0) + 1), level: more(steps.level, steps.level[n - 1] ?? 0),
    known: more(steps.known, steps.known[n - 1] ?? 0), call: more(steps.call, -1), fall: more(steps.fall, -1),
  };
}

/** How high the chart reaches, and its lines. */
export interface Height {
  top: number;
  lines: number[];
}

/** Room above the window, so that its line is seen; and above the highest level where there is none. */
const overWindow = 1.05;
const overLevel = 1.1;

/** The scale upwards. A level above its window is still seen. */
export function heightOf(steps: Steps, window: number | null): Height {
  let max = 0;
  for (const level of steps.level) if (level > max) max = level;
  const top = window === null || window <= 0 ? max * overLevel : Math.max(window * overWindow, max * 1.02);
  const lines = ticks(window !== null && window > 0 ? Math.max(window, max) : max).filter((v) => v <= top);
  return { top: top > 0 ? top : 1, lines };
}
