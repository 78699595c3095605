import { beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../api/client';
import type { Settings } from '../api/types.gen';
import { ApiError, type Ask } from '../transport/transport';
import { choose, loadSettings, settings } from './settings.svelte';

const first: Settings = { language: '', theme: '', density: '', timezone: '', dailyBudget: 0, closing: '', stateDir: '', zone: 'UTC', notices: [] };
let kept: Settings;
let refuse: string;
const bodies: Settings[] = [];

/** An owner process that keeps choices, but for one that it refuses. */
async function owner(ask: Ask): Promise<unknown> {
  await Promise.resolve();
  if (ask.method !== 'POST') return kept;
  const to = ask.body as Settings;
  bodies.push(to);
  if (refuse !== '') throw new ApiError('internal', refuse);
  return (kept = { ...to, zone: to.timezone || 'UTC' });
}

beforeEach(async () => {
  [kept, refuse, bodies.length] = [first, '', 0];
  connect({ request: owner, events: () => () => undefined });
  await loadSettings();
});

describe('choices', () => {
  it('are saved whole, and what they lead to is shown', async () => {
    expect(await choose('timezone', 'Asia/Shanghai')).toBe('');
    expect(settings.now).toEqual({ ...first, timezone: 'Asia/Shanghai', zone: 'Asia/Shanghai' });
    expect(await choose('timezone', 'UTC')).toBe('Asia/Shanghai');
  });

  it('made at once do not overwrite each other', async () => {
    await Promise.all([choose('density', 'roomy'), choose('dailyBudget', 4), choose('closing', 'quit')]);
    expect(kept).toMatchObject({ density: 'roomy', dailyBudget: 4, closing: 'quit' });
    expect(bodies).toHaveLength(3);
  });

  it('that are refused stay as they were, and say why until one is saved', async () => {
    refuse = 'the disk is full';
    expect(await choose('dailyBudget', 4)).toBeNull();
    expect(settings.now).toEqual(first);
    expect(settings.refused).toMatchObject({ name: 'dailyBudget', error: { message: 'the disk is full' } });
    refuse = '';
    expect(await choose('dailyBudget', 5)).toBe(0);
    expect(settings.refused).toBeNull();
  });

  it('that cannot be asked for leave the last ones', async () => {
    connect({ request: () => Promise.reject(new ApiError('away', '')), events: () => () => undefined });
    await loadSettings();
    expect([settings.missing?.code, settings.now]).toEqual(['away', first]);
  });
});
