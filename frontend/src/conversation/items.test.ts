import { describe, expect, it } from 'vitest';
import type { Compaction, Entry } from '../api/types.gen';
import { contextEdge, itemsOf, type Item } from './items';

let serial = 0;
function entry(change: Partial<Entry> = {}): Entry {
  return {
    id: `e${serial++}`, kind: 'message', type: 'message', role: 'user', at: '2026-11-30T01:00:00Z', text: 'a', html: '', tool: '', isError: false,
    stopReason: '', images: 0, imageBytes: 0, textTokens: 1, onPath: true, inContext: true, background: false, path: '', line: 1,
    tokens: null, usd: null, price: '', model: '', ...change,
  };
}

const beside = { compactions: [] as Compaction[], dayOf: (at: string): string => at.slice(0, 10) };
const kinds = (items: Item[]): string[] => items.map((i) => (i.kind === 'note' ? `note ${i.note} ${i.name}` : i.kind === 'message' ? i.who : i.kind));
const made = (entries: Entry[]): string[] => kinds(itemsOf(entries, beside)).filter((k) => k !== 'day');

describe('itemsOf', () => {
  it.each<[Partial<Entry>, string]>([
    [{}, 'you'], [{ background: true }, 'background'], [{ role: 'assistant' }, 'agent'], [{ role: 'assistant', background: true }, 'agent'],
    [{ role: 'custom' }, 'plugin'], [{ role: 'other' }, 'other'], [{ kind: 'custom_message', role: '' }, 'plugin'],
    [{ role: 'toolResult' }, 'tool'], [{ role: 'bashExecution' }, 'tool'], [{ kind: 'compaction' }, 'compaction'], [{ kind: 'reset' }, 'reset'],
    [{ kind: 'branch_summary' }, 'branchSummary'], [{ kind: 'session', text: '' }, 'note start '], [{ kind: 'leaf', text: '' }, 'note branch '],
    [{ kind: 'model_change', text: 'p/m' }, 'note model p/m'], [{ kind: 'model_change', model: 'm', text: '' }, 'note model m'],
    [{ kind: 'thinking_level_change', text: 'high' }, 'note thinking high'], [{ kind: 'label', text: 'x' }, 'note label x'],
    [{ kind: 'session_info', text: 'n' }, 'note info n'], [{ kind: 'custom', type: 'custom', text: 'c' }, 'note custom c'],
    [{ kind: 'unknown', type: 'hologram' }, 'note unknown hologram'], [{ kind: 'hologram', type: '' }, 'note unknown hologram'],
  ])('%j is %s', (change, want) => expect(made([entry(change)])).toEqual([want]));

  it('marks a new day, and none where the time is not known', () => {
    const items = itemsOf([entry(), entry({ at: null }), entry({ at: '2026-12-01T00:00:00Z' })], beside);
    expect(kinds(items)).toEqual(['day', 'you', 'you', 'day', 'you']);
  });

  it('folds a branch that was left, each run for itself', () => {
    const off = { onPath: false };
    const items = itemsOf([entry(), entry(off), entry({ ...off, role: 'assistant' }), entry(), entry(off)], beside);
    expect(kinds(items)).toEqual(['day', 'you', 'left', 'you', 'left']);
    expect(items[2]).toMatchObject({ count: 2 });
  });

  it('shows a superseded compaction in its place, with its record', () => {
    const e = entry({ kind: 'compaction', onPath: false });
    const record = { entryId: e.id, superseded: true } as Compaction;
    const items = itemsOf([e], { ...beside, compactions: [record] });
    expect(items[1]).toMatchObject({ kind: 'compaction', record });
  });

  it('gives every line an id of its own, for entries without one too', () => {
    const ids = itemsOf([entry({ id: '' }), entry({ id: '' }), entry({ id: '', onPath: false })], beside).map((i) => i.id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('contextEdge', () => {
  const gone = { inContext: false };
  it.each<[string, Partial<Entry>[], number]>([
    ['all is seen', [{}, {}], -1], ['nothing is seen', [gone, gone], -1], ['no entries', [], -1],
    ['the kept tail begins', [gone, gone, {}, { kind: 'compaction' }, {}], 2],
    ['other kinds do not count', [{ kind: 'session', ...gone }, {}], -1],
    ['entries off the branch do not count', [gone, { onPath: false }, {}], 2],
  ])('%s', (_name, changes, want) => expect(contextEdge(changes.map(entry))).toBe(want));

  it('is drawn once', () => {
    expect(made([entry(gone), entry(), entry(gone), entry()])).toEqual(['you', 'unseen', 'you', 'you', 'you']);
  });
});
