// The states that only invented data shows: nothing there, failed, slow; and a
// transcript that attacks. With a real server there is nothing to do here.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
afterEach(() => page.close());

const go = (path: string): Promise<unknown> => page.goto(new URL(path, house.url).href);
const main = (): Promise<string> => page.locator('main').innerText();

describe.runIf(!process.env['TIDEMARK_URL'])('states', () => {
  it('says what an empty installation has not', async () => {
    for (const [path, text] of [['/', 'No agents found.'], ['/sessions', 'No conversations in this range.'], ['/compactions', 'No compaction yet.'], ['/costs', 'No calls in this range.'], ['/problems', 'No findings.']] as const) {
      await go(`${path}?installation=empty`);
      await settled(page);
      expect(await main()).toContain(text);
      expect(await main()).not.toMatch(/\$0\.00/);
    }
    expect(notes.faults).toEqual([]);
  });

  it('says what failed, what is safe and what to do', async () => {
    await go('/costs?installation=failing');
    await settled(page);
    for (const text of ['Costs can’t be shown.', 'permission denied', 'Let your user read the folder', 'Nothing of OpenClaw’s was changed.', 'unavailable', 'Try again']) expect(await main()).toContain(text);
    expect(notes.faults).toEqual([]);
  });

  it('shows grey bars with the progress while it reads', async () => {
    await go('/sessions?installation=slow');
    await page.waitForSelector('[role="status"] .row', { timeout: 2000 });
    expect(await main()).toContain('Reading main, 120 MB of 1.1 GB');
    await page.waitForSelector('tbody tr[data-row]', { timeout: 15_000 });
    expect(notes.faults).toEqual([]);
  });

  it('keeps what is shown when the server goes away, and says so', async () => {
    await go('/sessions');
    await settled(page);
    await page.route('**/api/**', (route) => route.abort());
    await emit(house);
    await page.waitForFunction(() => document.body.textContent?.includes('No answer'), undefined, { timeout: 10_000 });
    expect(await page.locator('tbody tr[data-row]').count()).toBeGreaterThan(0);
    expect(await main()).toContain('Tidemark does not answer.');
    await page.unroute('**/api/**');
    await page.waitForFunction(() => !document.body.textContent?.includes('No answer'), undefined, { timeout: 10_000 });
  });

  it('holds newer rows back until they are wanted', async () => {
    await go('/sessions?words=glaze');
    await settled(page);
    expect(await page.locator('tbody th').first().innerText()).toContain('Glaze order');
    await page.route('**/api/sessions*', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: (await answer.text()).replaceAll('Glaze order', 'Glaze and clay order') });
    });
    await emit(house, { name: 'changed', changed: { installation: '', revision: 2, sessions: [], all: true } });
    const button = page.getByRole('button', { name: 'Show what is new' });
    await button.waitFor({ timeout: 15_000 });
    expect(await page.locator('tbody th').first().innerText()).toContain('Glaze order');
    await button.click();
    expect(await page.locator('tbody th').first().innerText()).toContain('Glaze and clay order');
    expect(notes.faults).toEqual([]);
  });
});

describe.runIf(!process.env['TIDEMARK_URL'])('a transcript that attacks', () => {
  it('runs nothing, loads nothing, opens nothing', async () => {
    const sessions = (await (await house.context.request.get(new URL('/api/sessions', house.url).href)).json()) as { sessionId: string; agent: string; title: string }[];
    const glaze = sessions.find((s) => s.title === 'Glaze order and supplier mail');
    await go(`/session?agent=${glaze?.agent}&session=${glaze?.sessionId}&from=0`);
    await settled(page);
    const attack = page.locator('article', { hasText: 'Summary of the page:' });
    expect(await attack.count()).toBe(1);
    expect(await attack.innerText()).toContain('[image: a chart]');
    expect(await attack.locator('a, img, script, iframe, svg image, [onclick]').count()).toBe(0);
    await attack.getByText('(https://evil.example/x)').click();
    await attack.getByText('https://bank.example/').click();
    expect(notes.faults).toEqual([]);
    expect(await page.evaluate(() => 'pwned' in window)).toBe(false);

    // Only the control of its own opens it, and it names where it leads.
    const opened = page.waitForEvent('popup');
    await page.context().route('https://evil.example/**', (route) => route.fulfill({ body: 'there' }));
    await attack.getByRole('button', { name: 'open https://evil.example/x in a new tab' }).click();
    const there = await opened;
    expect(await there.evaluate(() => window.opener)).toBeNull();
    await there.close();
  });
});
