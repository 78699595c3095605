// Saves rows of costs as a CSV file of the browser's.

import type { By } from '../../api/costs';
import type { CostView } from '../../api/types.gen';
import { csv } from '../../chart/csv';

export function saveCsv(view: CostView, by: By): void {
  const head = [by, 'calls', 'input', 'cacheRead', 'cacheWrite', 'output', 'usd', 'backgroundUsd', 'unpricedCalls'];
  const rows = view.rows.map((r) => [r.key, r.calls, r.tokens.input, r.tokens.cacheRead, r.tokens.cacheWrite, r.tokens.output, r.usd, r.backgroundUsd, r.unpricedCalls]);
  const url = URL.createObjectURL(new Blob(['\ufeff', csv(head, rows)], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `tidemark-costs-by-${by}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}
