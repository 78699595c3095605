// The states that only invented data shows: nothing there, failed, slow; and a
// transcript that attacks. With a real server there is nothing to do here.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anything, emit, open, settled, watched, type House, type Notes } from './browser';

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
    for (const [path, text] of [['/', 'No OpenClaw found.'], ['/sessions', 'No conversations in this range.'], ['/compactions', 'No compaction yet.'], ['/statements', 'Nothing captured yet. Say “always…” or “never…” to an agent.'], ['/costs', 'No calls in this range.'], ['/problems', 'No findings.']] as const) {
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

  it('shows what was read during the first look, and how far it is', async () => {
    await go('/sessions?installation=first');
    await page.waitForSelector('tbody tr[data-row]', { timeout: 10_000 });
    const work = page.getByRole('region', { name: 'Work in progress' });
    expect(await work.innerText()).toMatch(/Reading OpenClaw’s files\s+440 MB of 1\.1 GB\s+165 of 412 files\s+98 MB a second\s+about 7 s left/);
    expect(await page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40');
    await work.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Reading is paused').waitFor({ timeout: 10_000 });
    await work.getByRole('button', { name: 'Resume' }).click();
    await work.getByText('about 7 s left').waitFor({ timeout: 10_000 });
    await work.getByRole('button', { name: 'Cancel' }).click();
    expect(await work.innerText()).toContain('What was read stays: 165 of 412 files.');
    await work.getByRole('button', { name: 'Go on' }).click();
    expect(await work.innerText()).toContain('Reading OpenClaw’s files');
    expect(notes.faults).toEqual([]);
  });

  it('leads from nothing to the sample, and back', async () => {
    await go('/?installation=empty');
    await settled(page);
    const sample = page.getByRole('button', { name: 'Open the sample' });
    expect(await page.locator('.button.primary').count()).toBe(1);
    await sample.click();
    await page.getByText('Sample data. Everything here is invented.').waitFor();
    expect(new URL(page.url()).searchParams.get('installation')).toBe('sample');
    await page.getByRole('link', { name: 'Leave the sample' }).click();
    await settled(page);
    expect(new URL(page.url()).searchParams.get('installation')).toBeNull();
    expect(await page.getByText('Sample data.').count()).toBe(0);
    expect(notes.faults).toEqual([]);
  });

  it('saves a choice at once, shows it, and takes it back', async () => {
    await go('/settings');
    await settled(page);
    const density = page.getByRole('group', { name: 'Density' });
    await density.getByRole('button', { name: 'Roomy' }).click();
    await page.getByText('Density changed.').waitFor();
    expect(await page.evaluate(() => [document.documentElement.dataset['density'], localStorage.getItem('tidemark.prefs')])).toEqual(['roomy', expect.stringContaining('roomy')]);
    expect((await (await house.context.request.get(new URL('/api/settings', house.url).href)).json()) as object).toMatchObject({ density: 'roomy' });
    await page.keyboard.press('z');
    await page.waitForFunction(() => document.documentElement.dataset['density'] === undefined);
    expect((await (await house.context.request.get(new URL('/api/settings', house.url).href)).json()) as object).toMatchObject({ density: '' });
    expect(notes.faults).toEqual([]);
  });

  it('says why a choice was not saved, and keeps the old one', async () => {
    await go('/settings');
    await settled(page);
    const field = page.getByLabel('Budget a day');
    await field.fill('four');
    await field.press('Enter');
    expect(await main()).toContain('Write an amount such as 4 or 4.50.');
    await page.route('**/api/settings', (route) => route.fulfill({ status: 500, json: { code: 'internal', message: 'the disk is full', hint: '' } }));
    await page.getByRole('group', { name: 'Density' }).getByRole('button', { name: 'Roomy' }).click();
    await page.getByText('Not saved: the disk is full. The old value stays.').waitFor();
    expect(await page.getByRole('button', { name: 'Compact' }).getAttribute('aria-pressed')).toBe('true');
    expect(await page.getByText('Density changed.').count()).toBe(0);
  });

  it('makes the index anew, with the progress above', async () => {
    await go('/settings');
    await settled(page);
    await page.getByRole('button', { name: 'Make the index anew' }).click();
    await page.getByText('Making the index anew', { exact: true }).waitFor({ timeout: 10_000 });
    await page.getByRole('region', { name: 'Work in progress' }).waitFor({ state: 'detached', timeout: 15_000 });
    expect(notes.faults).toEqual([]);
  });

  it('follows the figures of the day in place', async () => {
    await go('/');
    await settled(page);
    const order = (): Promise<string[]> => page.locator('tbody th').allInnerTexts();
    const before = await order();
    await page.route('**/api/today*', async (route) => {
      const answer = await route.fetch();
      const day = (await answer.json()) as { agents: { id: string; messages: number; lastText: string }[] };
      const fresh = { ...day.agents[0], id: 'new', name: 'a new one' };
      await route.fulfill({ response: answer, json: { ...day, agents: [fresh, ...day.agents.toReversed().map((a) => ({ ...a, lastText: 'said just now' }))] } });
    });
    await emit(house, anything);
    await page.getByText('said just now').first().waitFor({ timeout: 15_000 });
    expect(await order()).toEqual(before);
    await page.getByRole('button', { name: '1 new' }).click();
    expect((await order())[0]).toContain('a new one');
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
    await emit(house, anything);
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
    const talk = (await (await house.context.request.get(new URL(`/api/session?agent=${glaze?.agent}&session=${glaze?.sessionId}&offset=0&limit=2000`, house.url).href)).json()) as { entries: { id: string; text: string }[] };
    const evil = talk.entries.find((e) => e.text.includes('Summary of the page:'));
    await go(`/session?agent=${glaze?.agent}&session=${glaze?.sessionId}&entry=${evil?.id}`);
    await settled(page);
    const attack = page.locator('article', { hasText: 'Summary of the page:' });
    expect(await attack.count()).toBe(1);
    expect(await attack.innerText()).toContain('[image: a chart]');
    expect(await attack.locator('.said').locator('a, img, script, iframe, svg image, [onclick]').count()).toBe(0);
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
