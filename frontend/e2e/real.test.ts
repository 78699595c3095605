// What changes something, against a real server: choices are kept, the index is
// made anew, the sample comes and goes. With invented data there is nothing to
// do here.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Installation, Settings } from '../src/api/types.gen';
import { open, settled, watched, type House, type Notes } from './browser';

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
const get = async <T>(path: string): Promise<T> => (await (await house.context.request.get(new URL(path, house.url).href)).json()) as T;

describe.runIf(process.env['TIDEMARK_URL'])('a real server', () => {
  it('keeps a choice and takes it back', async () => {
    await go('/settings');
    await settled(page);
    await page.getByRole('button', { name: 'Roomy' }).click();
    await expect.poll(async () => (await get<Settings>('/api/settings')).density).toBe('roomy');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await get<Settings>('/api/settings')).density).toBe('');
    expect(notes.faults).toEqual([]);
  });

  it('makes the index anew without showing less', async () => {
    await go('/settings');
    await settled(page);
    const before = await get<{ messages: number }>('/api/scan');
    await page.getByRole('button', { name: 'Make the index anew' }).click();
    await expect.poll(async () => (await get<{ job: string }>('/api/status')).job).toBe('');
    expect(await get<{ messages: number }>('/api/scan')).toMatchObject({ messages: before.messages });
    expect(notes.faults).toEqual([]);
  });

  it('shows the sample beside, and lets it go', async () => {
    await go('/');
    await settled(page);
    const answer = await page.evaluate(async () => (await fetch('/api/demo', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })).json() as Promise<unknown>);
    const { id } = answer as Installation;
    await go(`/?installation=${id}`);
    await page.getByText('Sample data. Everything here is invented.').waitFor();
    await expect.poll(() => page.locator('tbody tr[data-row]').count(), { timeout: 20_000 }).toBe(4);
    await page.getByRole('link', { name: 'Leave the sample' }).or(page.getByRole('button', { name: 'Leave the sample' })).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('installation')).toBeNull();
    expect(notes.faults).toEqual([]);
  });
});
