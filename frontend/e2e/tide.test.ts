// The tide of a session, in a browser: what it says, and how it is operated.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Session, Tide } from '../src/api/types.gen';
import { axe } from './axe';
import { open, settled, watched, type House, type Look, type Notes } from './browser';

let house: House;
let page: Page;
let notes: Notes;
let path = '';
let tide: Tide;
beforeAll(async () => {
  house = await open();
  const get = async <T>(from: string): Promise<T> => (await (await house.context.request.get(new URL(from, house.url).href)).json()) as T;
  const [longest] = (await get<Session[]>('/api/sessions')).toSorted((a, b) => b.calls - a.calls);
  if (!longest) throw new Error('there is no session');
  const query = new URLSearchParams({ agent: longest.agent, session: longest.sessionId });
  path = `/session?${query}`;
  tide = await get<Tide>(`/api/tide?${query}`);
});
afterAll(() => house.close());
afterEach(async () => {
  expect(notes.faults).toEqual([]);
  await page.close();
});

async function go(to = path, look: Partial<Look> = {}): Promise<void> {
  ({ page, notes } = await watched(house, { theme: 'dark', lang: 'en', width: 1280, ...look }));
  await page.goto(new URL(to, house.url).href);
  await settled(page);
}
const chart = () => page.getByRole('application');
const said = (): Promise<string> => page.locator('[aria-live="polite"]').last().innerText();
const query = (name: string): string | null => new URL(page.url()).searchParams.get(name);
async function press(...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}
const text = (n: number): string => n.toLocaleString('en-GB');

describe('the tide', () => {
  it('names what axe looks for, in both languages and themes', async () => {
    for (const look of [{ theme: 'light', lang: 'en', width: 1280 }, { theme: 'dark', lang: 'zh', width: 900 }, { theme: 'light', lang: 'zh', width: 400 }] as const) {
      await go(path, look);
      expect(await axe(page)).toEqual([]);
      await chart().focus();
      await press('End');
      expect(await axe(page)).toEqual([]);
      expect(notes.faults).toEqual([]);
      await page.close();
    }
    await go(`${path}&table=1`);
    expect(await axe(page)).toEqual([]);
  });

  it('is walked by keys, and each step is a sentence', async () => {
    await go();
    const n = tide.at.length;
    await chart().focus();
    await press('Home');
    expect(await said()).toMatch(new RegExp(`^Call 1 of ${n}, .+ in the context, .+ output, cost .+\\.$`));
    await press('ArrowRight', 'ArrowRight');
    expect(await said()).toContain(`Call 3 of ${n},`);
    await press('ArrowLeft');
    expect(await said()).toContain(`Call 2 of ${n},`);
    await press('End');
    expect(await said()).toContain(`Call ${n} of ${n},`);
    await press('Shift+ArrowLeft');
    expect(await said()).toMatch(tide.falls.length > 0 ? /^(Compaction|Reset|Superseded compaction) at / : /^No compaction/);
    for (let i = 0; i <= tide.falls.length; i++) await press('Shift+ArrowRight');
    expect(await said()).toContain('No compaction or reset further on.');
  });

  it('opens the entry of a call', async () => {
    await go();
    await chart().focus();
    await press('End', 'Enter');
    await expect.poll(() => query('entry')).toBe(tide.entry.at(-1));
  });

  it('zooms by keys and by a drag, keeps it in the URL, and shows all again', async () => {
    await go();
    await chart().focus();
    await press('End', '+', '+');
    expect(await said()).toMatch(/^Showing .+ to .+\.$/);
    await expect.poll(() => query('zoom')).toMatch(/^\d+-\d+$/);
    await press('0');
    await expect.poll(() => query('zoom')).toBeNull();
    const box = await chart().boundingBox();
    if (!box) throw new Error('the chart has no place');
    await page.mouse.move(box.x + box.width * 0.3, box.y + 120);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 120, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => query('zoom')).toMatch(/^\d+-\d+$/);
    expect(query('entry')).toBeNull();
    const [from = 0, to = 0] = (query('zoom') ?? '').split('-').map(Number);
    expect(to - from).toBeLessThan(((tide.at.at(-1) ?? 0) - (tide.at[0] ?? 0)) * 0.6);
    await page.mouse.dblclick(box.x + box.width * 0.5, box.y + 60);
    await expect.poll(() => query('zoom')).toBeNull();
  });

  it('tells the numbers of the call under the pointer', async () => {
    await go(`${path}&scale=turns`);
    const box = await chart().boundingBox();
    if (!box) throw new Error('the chart has no place');
    await page.mouse.move(box.x + 42, box.y + 120);
    const tip = page.locator('.tip');
    await tip.waitFor();
    const words = await tip.innerText();
    expect(words).toContain(`call 1 of ${tide.at.length}`);
    for (const column of [tide.input, tide.cacheRead, tide.output]) expect(words).toContain(text(column[0] ?? -1));
    await page.mouse.move(box.x + 42, box.y + 500);
    await expect.poll(() => tip.count()).toBe(0);
  });

  it('says the statements at a call, below them is the call, and Enter opens their words', async () => {
    await go();
    const call = tide.statements?.[0]?.call;
    if (call === undefined || call >= tide.at.length) return;
    const first = tide.statements[0];
    await chart().focus();
    await press('Home', ...Array.from({ length: call }, () => 'ArrowRight'));
    expect(await said()).toContain(`Call ${call + 1} of`);
    await press('ArrowUp');
    expect(await said()).toMatch(/^(Want|Boundary|Detail), said .+, (holds|replaced|over): /);
    expect(await said()).toContain(first?.text);
    expect(await page.locator('.tip').innerText()).toContain(first?.text);
    await press('ArrowDown');
    expect(await said()).toContain(`Call ${call + 1} of`);
    await press('ArrowUp', 'Enter');
    await expect.poll(() => query('statement')).toBe(first?.id);
    expect(query('entry')).toBe(first?.entry);
    await page.locator('a.mark.here').first().waitFor();
  });

  it('has all its rows in the table', async () => {
    await go();
    await chart().focus();
    await press('t');
    await expect.poll(() => query('table')).toBe('1');
    const rows = page.getByRole('group', { name: 'Context of this session' }).locator('tbody tr[data-row]');
    const all = tide.at.length + tide.falls.length + (tide.statements?.length ?? 0);
    expect(await rows.count()).toBe(all > 200 ? await rows.count() : all);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    expect((await saved).suggestedFilename()).toMatch(/^tidemark-tide-.*\.csv$/);
  });
});

describe.runIf(!process.env['TIDEMARK_URL'])('seldom tides', () => {
  it.each(['none', 'one', 'nowindow', 'nousage', 'gaps', 'superseded', 'million'])('%s is drawn without a fault', async (name) => {
    for (const look of [{ theme: 'light', lang: 'en', width: 1280 }, { theme: 'dark', lang: 'zh', width: 400 }] as const) {
      await go(`/session?agent=mail&session=tide-${name}`, look);
      expect(await chart().count()).toBe(name === 'none' ? 0 : 1);
      expect(await axe(page)).toEqual([]);
      expect(notes.faults).toEqual([]);
      if (look.width === 1280) await page.close();
    }
  });

  it('20,000 calls: first paint and frames of a pan', async () => {
    await go('/session?agent=mail&session=tide-long&zoom=1-2');
    const found = await page.evaluate(async () => {
      const box = document.querySelector('[role="application"]');
      if (!box) return { paint: -1, frames: [-1] };
      const frame = (): Promise<number> => new Promise((done) => requestAnimationFrame(done));
      const timed = async (act: () => void): Promise<number> => {
        await frame();
        const began = performance.now();
        act();
        await Promise.resolve();
        await new Promise((done) => queueMicrotask(() => done(0)));
        return performance.now() - began;
      };
      const key = (name: string): void => void box.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
      const paint = await timed(() => key('0'));
      for (let i = 0; i < 3; i++) await timed(() => key('+'));
      const frames: number[] = [];
      for (let i = 0; i < 60; i++) frames.push(await timed(() => box.dispatchEvent(new WheelEvent('wheel', { deltaX: i < 30 ? 40 : -40, cancelable: true, bubbles: true }))));
      return { paint, frames: frames.toSorted((a, b) => a - b) };
    });
    const at = (share: number): string => (found.frames[Math.floor(share * (found.frames.length - 1))] ?? -1).toFixed(1);
    process.stdout.write(`tide of 20,000 calls: whole painted in ${found.paint.toFixed(1)} ms; pan ${at(0.5)} ms median, ${at(0.95)} ms 95th, ${at(1)} ms worst\n`);
    expect(found.paint).toBeGreaterThan(0); // a slow machine is no fault
  });
});
