// Saves rows of costs as a CSV file.

import type { By } from '../../api/costs';
import type { CostView } from '../../api/types.gen';
import { csv } from '../../chart/csv';
import { saveText } from '../../state/save';

export function saveCsv(view: CostView, by: By): void {
  const head = [by, 'calls', 'input', 'cacheRead', 'cacheWrite', 'output', 'usd', 'backgroundUsd', 'unpricedCalls'];
  const rows = view.rows.map((r) => [r.key, r.calls, r.tokens.input, r.tokens.cacheRead, r.tokens.cacheWrite, r.tokens.output, r.usd, r.backgroundUsd, r.unpricedCalls]);
  saveText(`tidemark-costs-by-${by}.csv`, `\ufeff${csv(head, rows)}`);
}
