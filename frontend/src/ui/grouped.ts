// Which rows of a grouped list are drawn: heads and rows have heights of their
// own, and what is not drawn is room above and below. Pure.

import { drawAll } from './table';

/** Heights in pixels. */
export interface Sizes {
  head: number;
  row: number;
}

/** A part of a group that is drawn: its head, and rows from and before. */
export interface Part {
  group: number;
  from: number;
  to: number;
}

export interface Layout {
  parts: Part[];
  above: number;
  below: number;
}

/** Drawn beyond both edges of the screen, in pixels. */
const spare = 600;

/** Where each group begins, and where the last ends. */
export function offsetsOf(groups: readonly number[], sizes: Sizes): number[] {
  const out = [0];
  for (const rows of groups) out.push((out.at(-1) ?? 0) + sizes.head + rows * sizes.row);
  return out;
}

/** What of groups with so many rows each lies between top and bottom. Few rows are all drawn. */
export function layoutOf(groups: readonly number[], sizes: Sizes, top: number, bottom: number): Layout {
  const total = groups.reduce((n, rows) => n + rows, 0);
  if (total <= drawAll) return { parts: groups.map((to, group) => ({ group, from: 0, to })), above: 0, below: 0 };
  const at = offsetsOf(groups, sizes);
  const end = at.at(-1) ?? 0;
  const [low, high] = [Math.min(top - spare, end - spare), Math.max(bottom + spare, spare)];
  const parts: Part[] = [];
  let [first, last] = [end, 0];
  groups.forEach((rows, group) => {
    const begin = (at[group] ?? 0) + sizes.head;
    if ((at[group + 1] ?? 0) <= low || (at[group] ?? 0) >= high) return;
    const from = Math.min(rows, Math.max(0, Math.floor((low - begin) / sizes.row)));
    const to = Math.min(rows, Math.max(from, Math.ceil((high - begin) / sizes.row)));
    parts.push({ group, from, to });
    // The head of a group that begins above is drawn where its first row is.
    first = Math.min(first, begin + from * sizes.row - sizes.head);
    last = Math.max(last, begin + to * sizes.row);
  });
  return { parts, above: first, below: Math.max(0, end - last) };
}

/** Where a row of all rows is: its group, and its number in it. */
export function placeOf(groups: readonly number[], row: number): { group: number; row: number } {
  let left = row;
  for (const [group, rows] of groups.entries()) {
    if (left < rows) return { group, row: left };
    left -= rows;
  }
  return { group: -1, row: -1 };
}
