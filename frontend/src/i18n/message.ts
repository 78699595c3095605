// How a message of a catalogue becomes text. Pure: the language comes in.

import { count, type Lang } from '../format/number';

/** A text with {names} to fill in; two forms where English needs them. */
export type Message = string | { one: string; other: string };

/** What fills a message. Numbers are written by language; n chooses the form. */
export type Params = Readonly<Record<string, string | number>>;

const rules: Record<Lang, Intl.PluralRules> = {
  en: new Intl.PluralRules('en'),
  zh: new Intl.PluralRules('zh'),
};

/** Fills a message. A name without a value stays as it is: a bug to be seen. */
export function fill(message: Message, params: Params, lang: Lang): string {
  const text = typeof message === 'string' ? message : message[form(params['n'], lang)];
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    if (value === undefined) return whole;
    return typeof value === 'number' ? count(value, lang) : value;
  });
}

function form(n: string | number | undefined, lang: Lang): 'one' | 'other' {
  return typeof n === 'number' && rules[lang].select(n) === 'one' ? 'one' : 'other';
}

/** The names in a message, for the test that compares the catalogues. */
export function placeholders(message: Message): string[] {
  const texts = typeof message === 'string' ? [message] : [message.one, message.other];
  const names = texts.flatMap((t) => [...t.matchAll(/\{(\w+)\}/g)].map((m) => m[1] ?? ''));
  return [...new Set(names)].toSorted();
}
