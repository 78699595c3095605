// Axes. Pure.

/**
 * Ticks from zero to at least max: 3 to 5 lines above zero, in steps of
 * 1, 2 or 5 times a power of ten. A maximum of nothing gives one step.
 */
export function ticks(max: number): number[] {
  if (!(max > 0) || !Number.isFinite(max)) return [0, 1];
  const power = Math.floor(Math.log10(max)) - 1;
  for (let i = 0; ; i++) {
    const step = ([1, 2, 5][i % 3] ?? 1) * 10 ** (power + Math.floor(i / 3));
    const lines = Math.ceil(max / step - 1e-9);
    if (lines <= 5) return Array.from({ length: lines + 1 }, (_, n) => round(n * step));
  }
}

/** Takes away what binary fractions add: 0.30000000000000004. */
function round(x: number): number {
  return Number(x.toPrecision(12));
}

/** A linear scale from a domain that starts at zero to pixels from the bottom up. */
export function upwards(max: number, height: number): (value: number) => number {
  return (value) => (max <= 0 ? height : height - (Math.max(0, value) / max) * height);
}

/**
 * Which of n slots of a width get a label, so that labels of the given width
 * do not touch: every k-th, counted back from the last one.
 */
export function labelled(n: number, slot: number, label: number): number[] {
  if (n <= 0) return [];
  const every = Math.max(1, Math.ceil(label / Math.max(slot, 0.001)));
  const out: number[] = [];
  for (let i = n - 1; i >= 0; i -= every) out.unshift(i);
  return out;
}

/** The first position whose value is above what is looked for; values are sorted. */
export function above(values: ArrayLike<number>, what: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) <= what) low = middle + 1;
    else high = middle;
  }
  return low;
}
