// Rows that are shown keep their places: nothing moves by itself. Pure.

export interface InOrder<T> {
  rows: T[];
  /** How many rows are not shown yet, because they came later. */
  fresh: number;
}

/** The rows whose ids are known, in the order in which they were shown. */
export function inOrder<T>(known: readonly string[], rows: readonly T[], id: (row: T) => string): InOrder<T> {
  const byId = new Map(rows.map((row) => [id(row), row]));
  const shown = known.flatMap((k) => byId.get(k) ?? []);
  return { rows: shown, fresh: byId.size - shown.length };
}
