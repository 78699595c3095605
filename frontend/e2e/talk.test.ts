// A long conversation: it scrolls without a jump, follows its end, and opens at
// any entry. The invented session "endless" has 20,000 entries.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axe } from './axe';
import { emit, open, settled, watched, type House, type Notes } from './browser';

let house: House;
let page: Page;
let notes: Notes;
beforeAll(async () => {
  house = await open();
});
afterAll(() => house.close());
beforeEach(async () => {
  ({ page, notes } = await watched(house, { theme: 'light', lang: 'en', width: 1280 }));
});
afterEach(async () => {
  expect(notes.faults).toEqual([]);
  await page.close();
});

const endless = '/session?agent=mail&session=endless';
async function go(path: string): Promise<void> {
  await page.goto(new URL(path, house.url).href);
  await settled(page);
}
/** The index of the first entry on screen, and how far the end is, in pixels. */
const where = (): Promise<{ first: number; last: number; left: number; drawn: number }> =>
  page.evaluate(() => {
    const body = document.querySelector('.talk[data-scrolls]') as HTMLElement;
    const box = body.getBoundingClientRect();
    const seen = [...document.querySelectorAll<HTMLElement>('[data-index]')].filter((e) => e.getBoundingClientRect().bottom > box.top + 30 && e.getBoundingClientRect().top < box.bottom);
    const index = (e: HTMLElement | undefined): number => Number(e?.dataset['index'] ?? -1);
    return { first: index(seen[0]), last: index(seen.at(-1)), left: body.scrollHeight - body.clientHeight - body.scrollTop, drawn: document.querySelectorAll('[data-index]').length };
  });

describe.runIf(!process.env['TIDEMARK_URL'])('a conversation of 20,000 entries', () => {
  it('opens at its end', async () => {
    await go(endless);
    const at = await where();
    expect(at.last).toBe(19_999);
    expect(at.left).toBeLessThan(4);
    expect(at.drawn).toBeLessThan(80);
  });

  it('scrolls without a jump, and draws few entries', async () => {
    await go(endless);
    const seen = await page.evaluate(async () => {
      const body = document.querySelector('.talk[data-scrolls]') as HTMLElement;
      const step = -24;
      const frames: number[] = [];
      let [jumps, most, before] = [0, 0, performance.now()];
      for (let n = 0; n < 400; n++) {
        const under = document.elementsFromPoint(500, 400).find((e) => e.closest('[data-index]'))?.closest<HTMLElement>('[data-index]');
        const top = under?.getBoundingClientRect().top ?? 0;
        body.scrollTop += step;
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        frames.push(now - before);
        before = now;
        most = Math.max(most, document.querySelectorAll('[data-index]').length);
        if (under?.isConnected && Math.abs(under.getBoundingClientRect().top - top + step) > 2) jumps++;
      }
      return { frames: frames.toSorted((a, b) => a - b), jumps, most };
    });
    console.info(`frames: median ${seen.frames[200]?.toFixed(1)} ms, p95 ${seen.frames[380]?.toFixed(1)} ms, worst ${seen.frames.at(-1)?.toFixed(1)} ms`); // eslint-disable-line no-console
    expect(seen.jumps).toBe(0);
    expect(seen.most).toBeLessThan(120);
  });

  it('shows an entry in the middle, marked, and the URL keeps it', async () => {
    await go(`${endless}&entry=n7777`);
    await page.waitForSelector('article.marked', { timeout: 5000 });
    const box = await page.locator('article.marked').boundingBox();
    expect(box?.y).toBeGreaterThan(200);
    expect(box?.y).toBeLessThan(700);
    expect(new URL(page.url()).searchParams.get('entry')).toBe('n7777');
  });

  it('Home and End reach both ends, J and K go on from there', async () => {
    await go(endless);
    await page.keyboard.press('Home');
    await settled(page);
    expect((await where()).first).toBe(0);
    await page.keyboard.press('j');
    expect(await page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-index]')?.dataset['index'])).toBe('1');
    await page.keyboard.press('End');
    await settled(page);
    expect((await where()).last).toBe(19_999);
  });

  it('follows the end, and waits with a word where one reads elsewhere', async () => {
    await go(endless);
    const like = ((await (await house.context.request.get(new URL('/api/session?agent=mail&session=endless&offset=0&limit=1', house.url).href)).json()) as { entries: { id: string }[] }).entries[0];
    let more = 3;
    await page.route('**/api/session?*', async (route) => {
      const answer = await route.fetch();
      const detail = (await answer.json()) as { entries: { id: string }[]; total: number; from: number };
      const fresh = Array.from({ length: more }, (_, i) => ({ ...like, id: `new${i}` }));
      if (detail.from + detail.entries.length >= detail.total && detail.entries.length < 200) detail.entries.push(...fresh);
      detail.total += more;
      await route.fulfill({ response: answer, json: detail });
    });
    await settled(page);
    const changed = { name: 'changed', changed: { installation: '', revision: 2, sessions: [{ agent: 'mail', sessionId: 'endless' }], all: false } };
    await emit(house, changed);
    await page.waitForSelector('[data-index="20002"]', { timeout: 15_000 });
    expect((await where()).left).toBeLessThan(4);
    await page.evaluate(() => ((document.querySelector('.talk[data-scrolls]') as HTMLElement).scrollTop -= 2000));
    await page.waitForTimeout(200); // the entries there are drawn
    const before = await where();
    more = 6;
    await emit(house, changed);
    await page.getByRole('button', { name: '3 new' }).waitFor({ timeout: 15_000 });
    expect((await where()).first).toBe(before.first);
    await page.getByRole('button', { name: '3 new' }).click();
    await settled(page);
    expect((await where()).left).toBeLessThan(4);
  });
});

describe.runIf(!process.env['TIDEMARK_URL']).each([['light', 'en'], ['dark', 'zh']] as const)('%s, %s', (theme, lang) => {
  it('the pages keep the rules of axe', async () => {
    await page.close();
    ({ page, notes } = await watched(house, { theme, lang, width: 1280 }));
    for (const path of [endless, '/compaction?agent=mail&session=5d1f8c2e-0000-4c1a-9e77-0a1b2c3d4e5f&entry=compaction-0']) {
      await go(path);
      expect(await axe(page), path).toEqual([]);
    }
  });
});
