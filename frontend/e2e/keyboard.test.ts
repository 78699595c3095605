// A walk through the pages without a mouse, and what the URL keeps.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { open, settled, watched, type House, type Notes } from './browser';
import { paths } from './paths';

let house: House;
let page: Page;
let notes: Notes;
beforeAll(async () => {
  house = await open();
});
afterAll(() => house.close());
beforeEach(async () => {
  ({ page, notes } = await watched(house, { theme: 'dark', lang: 'en', width: 1280 }));
});
afterEach(async () => {
  expect(notes.faults).toEqual([]);
  await page.close();
});

async function go(path: string): Promise<void> {
  await page.goto(new URL(path, house.url).href);
  await settled(page);
}
const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent?.trim().slice(0, 60) ?? '');
const heading = (): Promise<string> => page.locator('h1').innerText();
const query = (name: string): string | null => new URL(page.url()).searchParams.get(name);
async function press(...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
  await settled(page);
}

describe('without a mouse', () => {
  it('Tab reaches the skip link first, and it leads to the content', async () => {
    await go('/');
    await press('Tab');
    expect(await focused()).toBe('Skip to the content');
    await press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  });

  it('G and a letter go to every view, whose heading has the focus', async () => {
    await go('/');
    for (const [letter, title] of [['s', 'Sessions'], ['c', 'Compactions'], ['k', 'Statements'], ['u', 'Costs'], ['p', 'Problems'], ['e', 'Settings'], ['t', 'Today']] as const) {
      await press('g', letter);
      expect(await heading()).toBe(title);
      expect(await focused()).toBe(title);
    }
  });

  it('J, K and Enter open a session, Escape and Back return', async () => {
    await go('/sessions');
    const first = await page.locator('tbody tr[data-row="0"] th').innerText();
    await press('j');
    expect(first).toContain((await focused()).slice(0, 8));
    await press('j', 'k', 'Enter');
    expect(new URL(page.url()).pathname).toBe('/session');
    await press('j', 'j', 'k', 'Escape');
    expect(await heading()).toBe('Sessions');
    await page.goBack();
    await settled(page);
    expect(new URL(page.url()).pathname).toBe('/session');
  });

  it('/ filters, Escape clears and leaves the field', async () => {
    await go('/sessions');
    const all = await page.locator('.count').innerText();
    await press('/');
    await page.keyboard.type('zzzz');
    await settled(page);
    expect(query('words')).toBe('zzzz');
    expect(await page.locator('.count').innerText()).toBe('0 sessions');
    await press('Escape');
    expect(query('words')).toBeNull();
    expect(await page.locator('.count').innerText()).toBe(all);
    await press('Escape');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
  });

  it('? lists the keys, and Escape gives the focus back', async () => {
    await go('/costs');
    await press('?');
    expect(await page.locator('dialog[open] h2').innerText()).toBe('Keyboard');
    await press('j');
    await press('Escape');
    expect(await page.locator('dialog[open]').count()).toBe(0);
  });

  it('T shows the chart as a table, and the URL keeps it', async () => {
    await go('/costs');
    await press('t');
    expect(query('table')).toBe('1');
    expect(await page.getByRole('listbox').count()).toBe(0);
    await page.reload();
    await settled(page);
    expect(query('table')).toBe('1');
    await press('t');
    expect(await page.getByRole('listbox').count()).toBe(1);
  });

  it('arrow keys move in the chart, Enter opens the sessions of a bar', async () => {
    await go('/costs');
    await page.getByRole('listbox').focus();
    await press('ArrowLeft');
    const option = page.locator('[role="option"][aria-selected="true"]');
    expect(await option.getAttribute('aria-label')).toMatch(/: .*\d+ calls?/);
    await press('ArrowLeft', 'End', 'Enter');
    expect(query('by')).toBe('session');
    expect(query('range')).toMatch(/^\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d$/);
  });

  it('opens a problem in the pane, J takes it along, Escape closes', async () => {
    await go('/problems');
    if ((await page.locator('tbody tr[data-row]').count()) < 2) return;
    await press('j', 'Enter');
    const one = query('open');
    expect(await page.locator('aside').count()).toBe(1);
    await press('j');
    if ((await page.locator('section tbody').first().locator('tr[data-row]').count()) > 1) expect(query('open')).not.toBe(one);
    await press('Escape');
    expect(query('open')).toBeNull();
  });
});

describe('the command palette', () => {
  it('opens with Ctrl K, moves with arrows, goes with Enter', async () => {
    await go('/sessions');
    await press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search or jump to' });
    expect(await field.evaluate((e) => e === document.activeElement)).toBe(true);
    await page.keyboard.type('cost');
    const chosen = page.locator('[role="option"][aria-selected="true"]');
    expect(await chosen.innerText()).toContain('Costs');
    expect(await field.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'));
    await press('Enter');
    expect(await heading()).toBe('Costs');
    expect(await page.locator('dialog[open]').count()).toBe(0);
  });

  it('chooses an agent, says when nothing matches, and Escape gives the focus back', async () => {
    await go('/sessions');
    await page.locator('button[aria-keyshortcuts]').focus();
    await press('Enter');
    await page.keyboard.type('zzzzz');
    expect(await page.locator('dialog[open]').innerText()).toContain('Nothing matches.');
    await press('Escape');
    expect(await page.locator('button[aria-keyshortcuts]').evaluate((e) => e === document.activeElement)).toBe(true);
    const agents = (await (await house.context.request.get(new URL('/api/agents', house.url).href)).json()) as { id: string }[];
    const [first] = agents;
    if (!first) return;
    await press('Control+k');
    for (let i = 0; i < 40 && !(await page.locator('[role="option"][aria-selected="true"]').innerText()).startsWith('All agents'); i++) await page.keyboard.press('ArrowDown');
    await press('ArrowDown', 'Enter');
    expect(query('agent')).toBe(first.id);
  });
});

describe('long lists', () => {
  it('End reaches the last of all rows, of which only some are drawn', async () => {
    await go('/sessions');
    const total = Number.parseInt((await page.locator('.count').innerText()).replaceAll(',', ''), 10);
    await press('End');
    const row = await page.evaluate(() => document.activeElement?.closest('tr')?.dataset['row']);
    expect(Number(row)).toBe(total - 1);
    expect(await page.locator('tbody tr[data-row]').count()).toBeLessThanOrEqual(Math.max(200, 80));
    await press('Home');
    expect(await page.evaluate(() => document.activeElement?.closest('tr')?.dataset['row'])).toBe('0');
  });

  it('an entry far from the end is found by its id', async () => {
    const { sessionAtCompaction } = await paths(house);
    if (!sessionAtCompaction) return;
    await go(sessionAtCompaction);
    await page.waitForSelector('article.marked', { timeout: 10_000 });
    expect(await page.locator('article.marked').first().isVisible()).toBe(true);
  });
});
