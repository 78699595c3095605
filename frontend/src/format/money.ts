// US dollars. Zero is shown only where zero is known.

import { numberFormat, type Lang } from './number';

/** $81.40, $1,204, $0.0042: cents, and more digits where cents would hide it. */
export function usd(n: number, lang: Lang): string {
  if (n < 0) return '−' + usd(-n, lang);
  return '$' + numberFormat(lang, digits(n)).format(n);
}

function digits(n: number): Intl.NumberFormatOptions {
  if (n >= 9999.5) return { maximumFractionDigits: 0 };
  if (n === 0 || n >= 0.0995) return { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  if (n >= 0.00001) return { maximumSignificantDigits: 2, minimumSignificantDigits: 1 };
  return { maximumSignificantDigits: 1, maximumFractionDigits: 20 };
}

/** What is known of a sum of calls. */
export type Spend =
  | { kind: 'known'; usd: number }
  | { kind: 'atLeast'; usd: number; unpriced: number }
  | { kind: 'unknown'; unpriced: number };

/**
 * Says how much of a sum is known. A sum of 0 in which calls have no price
 * says nothing: it is unknown, not "at least $0.00".
 */
export function spend(sum: number, unpriced: number): Spend {
  if (unpriced <= 0) return { kind: 'known', usd: sum };
  if (sum <= 0) return { kind: 'unknown', unpriced };
  return { kind: 'atLeast', usd: sum, unpriced };
}

/** Reads an amount that a person wrote, null where it is none. "" is nothing. */
export function amountOf(text: string): number | null {
  const plain = text.normalize('NFKC').trim().replace(/^(\$|US\$)\s*/i, '').replace(/^(\d+),(\d{1,2})$/, '$1.$2');
  if (plain === '') return 0;
  return /^\d{1,7}(\.\d{1,4})?$/.test(plain) ? Number(plain) : null;
}
