// What a person chose for the look: language, theme, density. The owner process
// keeps it (settings); this is its mirror in the browser's storage, where
// public/first.js reads it before the first paint.

import type { Lang } from '../format/number';
import { setLang } from '../i18n/index.svelte';

export type Theme = 'system' | 'light' | 'dark';
export type Density = 'compact' | 'roomy';

interface Prefs {
  lang?: Lang;
  theme: Theme;
  density?: Density;
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
  if (stated['density'] === 'roomy') out.density = 'roomy';
  return out;
}

export function theme(): Theme {
  return prefs.theme;
}

/** The language that was chosen, "" where it is that of the system. */
export function chosenLang(): Lang | '' {
  return prefs.lang ?? '';
}

export function density(): Density {
  return prefs.density ?? 'compact';
}

export function chooseTheme(to: Theme): void {
  save({ ...prefs, theme: to });
}

export function chooseLang(to: Lang | ''): void {
  const { lang: _lang, ...others } = prefs;
  save(to === '' ? others : { ...others, lang: to });
}

export function chooseDensity(to: Density): void {
  const { density: _density, ...others } = prefs;
  save(to === 'compact' ? others : { ...others, density: to });
}

/** Takes over what was chosen elsewhere; what was not leaves this browser's. */
export function adopt(chosen: { language: string; theme: string; density: string }): void {
  const stated = parsePrefs(JSON.stringify({ lang: chosen.language, theme: chosen.theme, density: chosen.density }));
  const to: Prefs = { ...prefs, ...stated, theme: stated.theme === 'system' ? prefs.theme : stated.theme };
  if (JSON.stringify(to) !== JSON.stringify(prefs)) save(to);
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
  if (prefs.density === 'roomy') root.dataset['density'] = 'roomy';
  else delete root.dataset['density'];
  setLang(prefs.lang ?? (/^zh\b/i.test(navigator.language) ? 'zh' : 'en'));
}
