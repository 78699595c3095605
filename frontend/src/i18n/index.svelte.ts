// The language of the page. Texts come from the catalogues by t; they follow
// the language by themselves where they are used in a component.

import { locales, type Lang } from '../format/number';
import { en } from './en';
import type { Key } from './keys';
import { fill, type Message, type Params } from './message';
import { zh } from './zh';

export type { Key } from './keys';

const catalogues: Record<Lang, Record<Key, Message>> = { en, zh };

let current = $state<Lang>('en');

/** The language that is shown. */
export function lang(): Lang {
  return current;
}

/** Changes the language, of the document too: fonts and readers follow it. */
export function setLang(to: Lang): void {
  current = to;
  document.documentElement.lang = locales[to] === 'zh-CN' ? 'zh-CN' : 'en';
}

/** The text of a message in the language that is shown. */
export function t(key: Key, params: Params = {}): string {
  return fill(catalogues[current][key], params, current);
}

/** Says whether a text of the API has a message: codes, kinds, sources. */
export function isKey(text: string): text is Key {
  return Object.hasOwn(en, text);
}
