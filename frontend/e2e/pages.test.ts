// Every page in every look: nothing forbidden happens, nothing is out of reach
// of a screen reader, nothing is wider than the window.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axe } from './axe';
import { open, settled, watched, type House, type Look } from './browser';
import { paths } from './paths';

let house: House;
beforeAll(async () => {
  house = await open();
});
afterAll(() => house.close());

/** The rules of axe take long: one look of each theme and language is enough. */
const looks: (Look & { rules: boolean })[] = [
  { theme: 'light', lang: 'en', width: 1280, rules: true },
  { theme: 'dark', lang: 'zh', width: 1280, rules: true },
  { theme: 'dark', lang: 'en', width: 860, rules: false },
  { theme: 'light', lang: 'zh', width: 400, rules: false },
  { theme: 'light', lang: 'en', width: 400, rules: false },
  // 1280 by 820 at 200%.
  { theme: 'dark', lang: 'en', width: 640, height: 410, rules: false },
  { theme: 'light', lang: 'zh', width: 640, height: 410, rules: false },
];

/** Pages that are made of the same parts as another one. */
const alike = new Set(['sessionAtCompaction', 'costsByday', 'costsBysession', 'slow', 'emptyCosts', 'todayAll', 'costsNarrowed', 'statementsNarrowed', 'emptyStatements', 'sampleToday']);

/** Pages that show work that goes on. */
const busy = new Set(['slow', 'firstToday']);

/** The words of the page without those of transcripts, which may hold anything. */
function ownWords(page: Page): Promise<string> {
  return page.evaluate(() => {
    const copy = document.body.cloneNode(true) as HTMLElement;
    copy.querySelectorAll('bdi, pre, script, [dir="auto"]').forEach((e) => e.remove());
    return copy.textContent ?? '';
  });
}

/** Controls that reach out of the window, or out of a frame that cannot be scrolled. */
function cut(page: Page): Promise<string[]> {
  return page.evaluate(() => [...document.querySelectorAll<HTMLElement>('a, button, input, select, h1, h2')]
    .filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest('dialog:not([open]), .unseen, .skip') && getComputedStyle(e).clipPath === 'none')
    .map((e) => ({ e, box: e.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0 && (box.left < -0.5 || box.right > innerWidth + 0.5))
    .map(({ e, box }) => `${e.outerHTML.slice(0, 90)} ${Math.round(box.left)}..${Math.round(box.right)}`));
}

describe.each(looks)('$theme, $lang, $width px', (look) => {
  it('every page is sound', { timeout: 180_000 }, async () => {
    const { page, notes } = await watched(house, look);
    for (const [name, path] of Object.entries(await paths(house))) {
      await page.goto(new URL(path, house.url).href);
      await settled(page, busy.has(name) ? 1000 : undefined);
      if (look.rules && !alike.has(name)) expect(await axe(page), `${name}: axe`).toEqual([]);
      const shape = await page.evaluate(() => ({
        lang: document.documentElement.lang, theme: document.documentElement.dataset['theme'],
        wide: document.documentElement.scrollWidth - innerWidth, inline: document.querySelectorAll('[style]:not([style^="--"])').length,
        h1: document.querySelectorAll('h1').length, title: document.title,
      }));
      expect(shape, name).toMatchObject({ lang: look.lang === 'zh' ? 'zh-CN' : 'en', theme: look.theme, inline: 0, h1: 1, });
      expect(await ownWords(page), name).not.toMatch(/\{[a-zA-Z]+\}|undefined|NaN|Invalid Date/);
      expect(shape.wide, `${name}: wider than the window`).toBeLessThanOrEqual(0);
      expect(await cut(page), `${name}: cut off`).toEqual([]);
      expect(shape.title, name).toMatch(/ · Tidemark$/);
    }
    expect(notes.faults).toEqual([]);
    await page.close();
  });
});
