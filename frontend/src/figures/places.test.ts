import { describe, expect, it } from 'vitest';
import type { Installation } from '../api/types.gen';
import { placesOf } from './places';

const one = (change: Partial<Installation>): Installation => ({ id: 'x', stateDir: '/home/anna/.openclaw', profile: '', legacy: false, default: false, ...change });

describe('placesOf', () => {
  it.each([
    [{ default: true }, { value: '', text: '.openclaw' }],
    [{ profile: 'work' }, { value: 'x', text: 'work' }],
    [{ stateDir: 'C:\\Users\\anna\\.clawdbot\\' }, { value: 'x', text: '.clawdbot' }],
    [{ stateDir: '/' }, { value: 'x', text: '/' }],
  ])('%j', (change, want) => expect(placesOf([one(change)])).toEqual([want]));
  it('keeps the order', () => expect(placesOf([one({ id: 'a' }), one({ id: 'b' })]).map((p) => p.value)).toEqual(['a', 'b']));
});
