// Numbers by language. Unknown is no number: whoever has null shows the word.

export type Lang = 'en' | 'zh';

/** The tag for Intl and for lang attributes. English dates put the day first. */
export const locales: Record<Lang, string> = { en: 'en-GB', zh: 'zh-CN' };

const cache = new Map<string, Intl.NumberFormat>();

/** Making a formatter costs more than using it a hundred times. */
export function numberFormat(lang: Lang, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = lang + JSON.stringify(options);
  let format = cache.get(key);
  if (!format) cache.set(key, (format = new Intl.NumberFormat(locales[lang], options)));
  return format;
}

/** 12,345 */
export function count(n: number, lang: Lang): string {
  return numberFormat(lang, { maximumFractionDigits: 0 }).format(n);
}

const steps: [number, string][] = [
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
];

/**
 * 950, 61.2k, 178k, 1.24M: three digits at most, for tokens. Both languages
 * use k and M, as the makers of models do.
 */
export function compact(n: number): string {
  if (n < 0) return '−' + compact(-n);
  for (const [size, unit] of steps) {
    // What rounds up to 1000 of a unit is 1 of the next one.
    if (n >= size * 0.9995) return trim(n / size) + unit;
  }
  return String(Math.round(n));
}

function trim(x: number): string {
  const digits = x >= 99.95 ? 0 : x >= 9.995 ? 1 : 2;
  return x.toFixed(digits).replace(/\.0+$/, '').replace(/(\.\d*[1-9])0+$/, '$1');
}

/** A share from 0 to 1 as 31%. A trace is never shown as 0%. */
export function percent(share: number, lang: Lang): string {
  if (share > 0 && share < 0.01) return '<1%';
  return numberFormat(lang, { style: 'percent', maximumFractionDigits: 0 }).format(share);
}

/** 512 B, 6.1 KB, 355 KB, 1.2 GB; steps of 1000. */
export function bytes(n: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let at = 0;
  let x = n;
  while (x >= 999.5 && at < units.length - 1) {
    x /= 1000;
    at++;
  }
  return `${at === 0 || x >= 99.5 ? Math.round(x) : x.toFixed(1).replace(/\.0$/, '')} ${units[at]}`;
}
