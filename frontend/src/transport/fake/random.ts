// Numbers that look random and are the same on every run.

export interface Random {
  /** A whole number from low to high, both included. */
  int: (low: number, high: number) => number;
  /** A number from 0 to 1. */
  share: () => number;
  pick: <T>(of: readonly [T, ...T[]]) => T;
}

export function random(seed: number): Random {
  let state = seed % 2147483647 || 1;
  const share = (): number => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  const int = (low: number, high: number): number => low + Math.floor(share() * (high - low + 1));
  return { int, share, pick: (of) => of[int(0, of.length - 1)] ?? of[0] };
}
