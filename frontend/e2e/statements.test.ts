// The statements in a browser: what is shown, what is decided, and what the
// conversation marks. Invented data, so that decisions can be taken.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Session, Statement, StatementDetail, StatementList } from '../src/api/types.gen';
import { axe } from './axe';
import { open, settled, watched, type House, type Look, type Notes } from './browser';

let house: House;
let page: Page;
let notes: Notes;
beforeAll(async () => {
  house = await open();
});
afterAll(() => house.close());
beforeEach(() => look({}));
afterEach(async () => {
  expect(notes.faults).toEqual([]);
  await page.close();
});

async function look(of: Partial<Look>): Promise<void> {
  await page?.close();
  ({ page, notes } = await watched(house, { theme: 'light', lang: 'en', width: 1280, ...of }));
}
async function go(path: string): Promise<void> {
  await page.goto(new URL(path, house.url).href);
  await settled(page);
}
const get = async <T>(path: string): Promise<T> => (await (await house.context.request.get(new URL(path, house.url).href)).json()) as T;
const all = async (): Promise<Statement[]> => (await get<StatementList>('/api/statements')).statements;
const detail = (id: string): Promise<StatementDetail> => get<StatementDetail>(`/api/statement?id=${id}`);
const the = async (fits: (s: Statement) => boolean): Promise<Statement> => {
  const found = (await all()).find(fits);
  if (!found) throw new Error('there is no such statement');
  return found;
};
const query = (name: string): string | null => new URL(page.url()).searchParams.get(name);
const pane = () => page.getByRole('complementary', { name: 'Statement' });
const rows = () => page.locator('[data-row]');
const count = (): Promise<string> => page.locator('.count').innerText();
const said = (): Promise<string> => page.locator('[aria-live="polite"]').last().innerText();

describe.runIf(!process.env['TIDEMARK_URL'])('the list', () => {
  it('has the pinned ones first, then the newest by day', async () => {
    await go('/statements');
    const heads = await page.locator('h2[id^="head-"]').allInnerTexts();
    expect(heads[0]).toMatch(/^Pinned/);
    const times = await page.locator('section:not(:first-child) [data-row] time').evaluateAll((of) => of.map((e) => e.getAttribute('datetime') ?? ''));
    expect(times).toEqual(times.toSorted().toReversed());
    expect(await count()).toBe(`${(await all()).length} statements`);
  });

  it('is narrowed by kind, speaker, state, words and toggles, and the URL keeps it', async () => {
    await go('/statements');
    const kept = await all();
    await page.getByLabel('Kind').selectOption('B');
    expect(await count()).toBe(`${kept.filter((s) => s.tag === 'B').length} statements`);
    await page.getByLabel('Said by').selectOption('contact');
    expect(await rows().allInnerTexts()).toEqual([expect.stringContaining('a contact, 林姐, wechat')]);
    await page.reload();
    await settled(page);
    expect([query('tag'), query('speaker'), await rows().count()]).toEqual(['B', 'contact', 1]);
    await page.goBack();
    await page.goBack();
    await page.getByRole('combobox', { name: 'State' }).selectOption('superseded');
    expect(await count()).toBe(`${kept.filter((s) => s.state === 'superseded').length} statements`);
    await go('/statements?pinned=1');
    expect(await count()).toBe(`${kept.filter((s) => s.pinned).length} statements`);
    await page.getByRole('button', { name: 'Said again' }).click();
    expect(await count()).toBe(`${kept.filter((s) => s.pinned && s.repeats > 0).length} statement`);
    await go('/statements');
    await page.keyboard.press('/');
    await page.keyboard.type('花生');
    await settled(page);
    expect(await rows().count()).toBe(1);
    await page.keyboard.type('xx');
    await settled(page);
    await page.getByText('No statement matches.').waitFor();
    await page.getByRole('link', { name: 'Clear the filter' }).click();
    await settled(page);
    expect(await count()).toBe(`${kept.length} statements`);
  });

  it('tells whose words they are', async () => {
    const unknown = await the((s) => s.speaker === 'unknown');
    const contact = await the((s) => s.speaker === 'contact');
    await go(`/statements?open=${unknown.id}`);
    await pane().getByText('Nobody knows who said this: it is shown and never handed out.').waitFor();
    expect(await pane().getByRole('group', { name: 'For whom it holds' }).count()).toBe(0);
    await go(`/statements?open=${contact.id}`);
    await pane().getByText('Said by a contact: it binds to them alone.').waitFor();
  });

  it('draws few of 20,000, and End reaches the last', { timeout: 60_000 }, async () => {
    await go('/statements?installation=many');
    await page.getByText('20,000 statements').waitFor();
    expect(await rows().count()).toBeLessThan(120);
    const began = Date.now();
    await page.keyboard.press('End');
    await page.locator('[data-row="19999"]').waitFor();
    expect(await page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'])).toBe('19999');
    process.stdout.write(`20,000 statements: End after ${Date.now() - began} ms\n`);
    await page.keyboard.press('k');
    expect(await page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'])).toBe('19998');
    await page.keyboard.press('Home');
    expect(await page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'])).toBe('0');
  });
});

describe.runIf(!process.env['TIDEMARK_URL'])('decisions', () => {
  it('pins with P and takes it back with Z', async () => {
    const s = await the((x) => x.text.startsWith('Mme Aubert pays'));
    await go(`/statements?open=${s.id}`);
    await page.keyboard.press('p');
    await page.getByRole('group', { name: 'Pinned.' }).waitFor();
    await pane().getByRole('button', { name: 'Unpin' }).waitFor();
    expect((await detail(s.id)).statement.pinned).toBe(true);
    await page.keyboard.press('z');
    await pane().getByRole('button', { name: 'Pin', exact: true }).waitFor();
    await expect.poll(said).toContain('Taken back.');
    expect((await detail(s.id)).statement.pinned).toBe(false);
    expect(await pane().innerText()).toMatch(/pinned, taken back/);
  });

  it('corrects words and kind in their place', async () => {
    const s = await the((x) => x.text.startsWith('顺丰走对公账户'));
    await go(`/statements?open=${s.id}`);
    await page.keyboard.press('e');
    const field = pane().getByLabel('What it is to say');
    expect(await field.evaluate((e) => e === document.activeElement)).toBe(true);
    expect(await pane().getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await field.fill('顺丰走对公账户，每周结算');
    await page.keyboard.press('Escape');
    expect(await pane().getByRole('heading', { level: 2 }).innerText()).toBe(s.text);
    await page.keyboard.press('e');
    await pane().getByLabel('What it is to say').fill('顺丰走对公账户，每周结算');
    await pane().getByRole('button', { name: 'Boundary' }).click();
    await pane().getByLabel('What it is to say').press('Control+Enter');
    await page.getByRole('group', { name: 'Corrected.' }).waitFor();
    expect((await detail(s.id)).statement).toMatchObject({ text: '顺丰走对公账户，每周结算', tag: 'B', edited: true });
    expect(await page.locator('[data-row]', { hasText: '每周结算' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(() => pane().getByRole('heading', { level: 2 }).innerText()).toBe(s.text);
  });

  it('widens a statement to all agents', async () => {
    const s = await the((x) => x.speaker === 'owner' && x.scope === 'agent' && x.state === 'live');
    await go(`/statements?open=${s.id}`);
    await pane().getByRole('button', { name: 'all agents' }).click();
    await page.getByRole('group', { name: 'Holds for all agents now.' }).waitFor();
    expect((await detail(s.id)).statement.scope).toBe('all');
    await page.keyboard.press('z');
    await expect.poll(async () => (await detail(s.id)).statement.scope).toBe('agent');
  });

  it('forgets only when asked twice, and says what stays', async () => {
    const s = await the((x) => x.text === '返信は短くお願いします');
    await go(`/statements?open=${s.id}`);
    await pane().getByRole('button', { name: 'Forget' }).click();
    const dialog = page.getByRole('dialog', { name: 'Forget this statement?' });
    for (const words of [s.text, 'removed from Tidemark’s ledger, index and exports', 'stay in OpenClaw’s own files', 'This cannot be undone.']) expect(await dialog.innerText()).toContain(words);
    expect(await dialog.getByRole('button', { name: 'Keep it' }).evaluate((e) => e === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    expect((await detail(s.id)).statement.state).toBe('live');
    await pane().getByRole('button', { name: 'Forget' }).click();
    await dialog.getByRole('button', { name: 'Forget' }).click();
    await pane().getByText('Tidemark no longer has these words').waitFor();
    expect(await page.locator('main').innerText()).not.toContain(s.text);
    expect((await detail(s.id)).statement).toMatchObject({ state: 'forgotten', text: '' });
    expect(await page.getByRole('button', { name: 'Undo', exact: true }).count()).toBe(0);
  });

  it('says why a decision failed, with the hint, and changes nothing', async () => {
    const s = await the((x) => !x.pinned && x.state === 'live');
    await go(`/statements?installation=full&open=${s.id}`);
    await page.getByText('Can’t write the ledger: no space left on the disk. New statements are held in memory. 3 wait to be written.').waitFor();
    await pane().getByRole('button', { name: 'Pin', exact: true }).click();
    const alert = pane().getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(/Not done: write the ledger: no space left on the disk\.\s+Nothing was changed\. Free some space/);
    await pane().getByRole('button', { name: 'Pin', exact: true }).waitFor();
    expect((await detail(s.id)).statement.pinned).toBe(false);
  });
});

describe.runIf(!process.env['TIDEMARK_URL'])('the conversation', () => {
  it('opens at the words of a statement, behind characters outside the basic plane', async () => {
    const s = await the((x) => x.text.startsWith('Weekly report') && x.agent === 'mail');
    await go(`/statements?open=${s.id}`);
    expect(await pane().locator('mark').first().innerText()).toBe('Weekly report: three bullet points, no tables.');
    await pane().getByRole('link', { name: 'Open in the conversation' }).first().click();
    const here = page.locator('a.mark.here');
    await here.waitFor();
    expect(await here.evaluate((e) => [...e.childNodes].find((n) => n.nodeType === Node.TEXT_NODE)?.nodeValue)).toBe('Weekly report: three bullet points, no tables.');
    expect(await page.locator('article.marked').innerText()).toContain('🏺🔥');
    expect(query('statement')).toBe(s.id);
  });

  it('marks what Markdown made of the words, and a click opens the pane there', async () => {
    const s = await the((x) => x.text.includes('**without VAT**') && x.agent === 'mail');
    const session = (await get<Session[]>('/api/sessions')).find((x) => x.sessionId === s.sessionId);
    await go(`/session?agent=${session?.agent}&session=${s.sessionId}&entry=${s.entryId}`);
    const marks = page.locator('article.marked a.mark');
    await marks.first().waitFor();
    expect((await marks.allInnerTexts()).join('').replaceAll(/\s+|Want$/g, ' ').replace('Want', '').replaceAll(/ +(?=[ ,])/g, '').trim()).toBe('quote prices without VAT, rounded to ten euro');
    expect(await page.locator('article.marked .side').count()).toBe(1);
    await marks.first().click();
    await pane().waitFor();
    expect(new URL(page.url()).pathname).toBe('/session');
    await page.keyboard.press('Escape');
    await expect.poll(() => pane().count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe('/session');
  });

  it('leads from the marks of a session to its statements', async () => {
    const s = await the((x) => x.repeats > 3 && x.agent === 'mail');
    await go(`/session?agent=mail&session=${s.sessionId}`);
    await page.locator('a', { hasText: 'Kept of what was said' }).click();
    await settled(page);
    expect(query('session')).toBe(s.sessionId);
    expect(await rows().count()).toBeGreaterThan(1);
    await page.getByRole('button', { name: 'Show all sessions' }).click();
    await settled(page);
    expect(query('session')).toBeNull();
  });
});

describe.runIf(!process.env['TIDEMARK_URL']).each([['light', 'en', 1280], ['dark', 'zh', 900], ['light', 'zh', 400]] as const)('%s, %s, %d px', (theme, lang, width) => {
  it('keeps the rules of axe in the list, the pane, the editor and the question', async () => {
    await look({ theme, lang, width });
    const s = await the((x) => x.repeats > 3);
    await go('/statements');
    expect(await axe(page)).toEqual([]);
    await go(`/statements?open=${s.id}`);
    expect(await axe(page)).toEqual([]);
    await page.keyboard.press('e');
    await page.locator('textarea').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: lang === 'zh' ? '忘掉' : 'Forget' }).first().click();
    await page.locator('dialog[open]').waitFor();
    expect(await axe(page)).toEqual([]);
  });
});
