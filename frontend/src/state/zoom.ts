// How large a window shows its page; a browser has its own way.

/** The sizes that there are, as parts of the usual one. */
export const sizes = [0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2] as const;

/** The size after a step: "in", "out", or the usual one for anything else. */
export function stepped(size: number, step: string): number {
  if (step === 'in') return sizes.find((s) => s > size) ?? size;
  if (step === 'out') return sizes.findLast((s) => s < size) ?? size;
  return 1;
}

/** Shows the page a step larger or smaller. */
export function zoom(step: string): void {
  const root = document.documentElement;
  root.style.setProperty('zoom', String(stepped(Number(root.style.getPropertyValue('zoom') || 1), step)));
}
