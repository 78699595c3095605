// Rows as CSV, for the same rows that a chart shows. Pure.

/**
 * Writes CSV as RFC 4180 has it. A text that a spreadsheet would take for a
 * formula gets an apostrophe: keys come from transcripts.
 */
export function csv(head: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  return [head, ...rows].map((row) => row.map(cell).join(',') + '\r\n').join('');
}

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
