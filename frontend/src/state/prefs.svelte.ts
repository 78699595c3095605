// What a person chose for this browser: language and theme. It is kept in the
// browser's storage, where public/first.js reads it before the first paint.

import type { Lang } from '../format/number';
import { setLang } from '../i18n/index.svelte';

export type Theme = 'system' | 'light' | 'dark';

interface Prefs {
  lang?: Lang;
  theme: Theme;
}

const place = 'tidemark.prefs';

let prefs = $state.raw<Prefs>({ theme: 'system' });

/** Reads what was chosen; without a choice, the browser's language counts. */
export function startPrefs(): void {
  prefs = parsePrefs(stored());
  apply();
}

/** Reads prefs; whatever makes no sense is as if it were not chosen. */
export function parsePrefs(text: string | null): Prefs {
  let found: unknown;
  try {
    found = JSON.parse(text ?? '{}');
  } catch {
    found = {};
  }
  const stated = (typeof found === 'object' && found !== null ? found : {}) as Record<string, unknown>;
  const out: Prefs = { theme: stated['theme'] === 'light' || stated['theme'] === 'dark' ? stated['theme'] : 'system' };
  if (stated['lang'] === 'en' || stated['lang'] === 'zh') out.lang = stated['lang'];
  return out;
}

export function theme(): Theme {
  return prefs.theme;
}

export function chooseTheme(to: Theme): void {
  save({ ...prefs, theme: to });
}

export function chooseLang(to: Lang): void {
  save({ ...prefs, lang: to });
}

function save(to: Prefs): void {
  prefs = to;
  try {
    localStorage.setItem(place, JSON.stringify(to));
  } catch {
    // Storage may be refused: the choice then lasts as long as the page.
  }
  apply();
}

function stored(): string | null {
  try {
    return localStorage.getItem(place);
  } catch {
    return null;
  }
}

function apply(): void {
  const root = document.documentElement;
  if (prefs.theme === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = prefs.theme;
  setLang(prefs.lang ?? (/^zh\b/i.test(navigator.language) ? 'zh' : 'en'));
}
