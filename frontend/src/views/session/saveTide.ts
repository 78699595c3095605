// Saves the calls, falls and statements of a tide as a CSV file.

import type { Tide } from '../../api/types.gen';
import { csv } from '../../chart/csv';
import { saveText } from '../../state/save';
import { iso } from '../../ui/tide';

/** The rows as they are saved: what is not known is empty. */
export function rowsOf(tide: Tide): (string | number | null)[][] {
  const known = (n: number | undefined): number | null => (n === undefined || n < 0 ? null : n);
  const calls = tide.at.map((at, i) => ({ at, row: ['call', known(tide.input[i]), known(tide.cacheRead[i]), known(tide.cacheWrite[i]), known(tide.output[i]), tide.usd[i] ?? null, null, null, tide.entry[i] ?? '', null, null] }));
  const falls = tide.falls.map((f) => ({ at: f.at, row: [f.superseded ? `superseded ${f.kind}` : f.kind, null, null, null, null, null, f.before, f.after, f.entry, null, null] }));
  const said = tide.statements.map((s) => ({ at: s.at, row: ['statement', null, null, null, null, null, null, null, s.entry, s.tag, s.text] }));
  return [...calls, ...falls, ...said].toSorted((a, b) => a.at - b.at).map(({ at, row }) => [iso(at), ...row]);
}

export function saveTide(tide: Tide, session: string): void {
  const head = ['time', 'what', 'input', 'cacheRead', 'cacheWrite', 'output', 'usd', 'before', 'after', 'entry', 'tag', 'statement'];
  saveText(`tidemark-tide-${session.replaceAll(/[^\w.-]/g, '_')}.csv`, `\ufeff${csv(head, rowsOf(tide))}`);
}
