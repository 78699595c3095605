// Long conversations come in pages. Pure.

/** Entries a page has: two hundred are read in one go and drawn at once. */
export const pageSize = 200;

/** Where a page lies, and where its neighbours begin; null where there are none. */
export interface Pages {
  first: number;
  last: number;
  total: number;
  newest: null | 'end';
  newer: number | 'end' | null;
  older: number | null;
  oldest: number | null;
}

/** The question for a page: from is its first entry, null means the newest page. */
export function askFor(from: number | null): { offset: number; limit: number } {
  return from === null ? { offset: -pageSize, limit: pageSize } : { offset: from, limit: pageSize };
}

/** The pages around one that starts at from (0-based) with count entries. */
export function pagesOf(from: number, count: number, total: number): Pages {
  const end = from + count;
  const later = end < total;
  return {
    first: count === 0 ? 0 : from + 1,
    last: end,
    total,
    newest: later ? 'end' : null,
    newer: !later ? null : end + pageSize >= total ? 'end' : end,
    older: from > 0 ? Math.max(0, from - pageSize) : null,
    oldest: from > 0 ? 0 : null,
  };
}

/** The first entry of the page that holds the entry at a position. */
export function pageOf(position: number): number {
  return Math.floor(position / pageSize) * pageSize;
}
