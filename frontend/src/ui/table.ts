// What a table shows of its columns and rows. Pure.

export interface Column {
  key: string;
  label: string;
  /** Pixels; the first column takes what is left. */
  width: number;
  numeric?: boolean;
  sortable?: boolean;
  /** Columns go where there is no room, the highest number first. */
  rank: number;
}

/** The room that the first column wants before others may stay. */
const wanted = 200;

/** The columns that fit into a width. The first one always does. */
export function fitColumns<C extends Column>(columns: readonly C[], width: number): C[] {
  const [first, ...others] = columns;
  if (!first) return [];
  const byRank = others.toSorted((a, b) => a.rank - b.rank);
  let left = width - Math.min(first.width, wanted);
  const kept = new Set<string>([first.key]);
  for (const c of byRank) {
    left -= c.width;
    if (left < 0) break;
    kept.add(c.key);
  }
  return columns.filter((c) => kept.has(c.key));
}

/** The rows to draw of many: those on screen and some beside them. */
export interface Slice {
  from: number;
  to: number;
}

/** Fewer rows are all drawn. */
export const drawAll = 200;
const spare = 12;
/** Before a row was measured, as many as a tall screen shows. */
const screenful = 40;

/** Which rows lie between top and bottom, in pixels from the first row. */
export function sliceOf(rows: number, height: number, top: number, bottom: number): Slice {
  if (rows <= drawAll) return { from: 0, to: rows };
  if (height <= 0) return { from: 0, to: screenful };
  const from = Math.max(0, Math.floor(top / height) - spare);
  const to = Math.min(rows, Math.ceil(bottom / height) + spare);
  return { from: Math.min(from, Math.max(0, rows - 1)), to: Math.max(to, Math.min(rows, from + 1)) };
}

/** The order after a click on a head: numbers begin with the largest. */
export function nextSort(now: string, column: Pick<Column, 'key' | 'numeric'>): string {
  const [first, second] = column.numeric ? [`-${column.key}`, column.key] : [column.key, `-${column.key}`];
  return now === first ? second : first;
}

/** The value of aria-sort for a column, undefined where it is not sorted. */
export function ariaSort(now: string, key: string): 'ascending' | 'descending' | undefined {
  if (now === key) return 'ascending';
  return now === `-${key}` ? 'descending' : undefined;
}

/** The row after a step, -1 where there are none. */
export function step(now: number, by: number, rows: number): number {
  return rows === 0 ? -1 : Math.min(rows - 1, Math.max(0, now + by));
}
