import { describe, expect, it } from 'vitest';
import type { Tide } from '../../api/types.gen';
import { rowsOf } from './saveTide';

describe('rowsOf', () => {
  it('has calls, falls and statements in the order of time, each row as wide as the head', () => {
    const tide: Tide = {
      at: [1000, 5000], input: [10, -1], cacheRead: [1, -1], cacheWrite: [0, -1], output: [3, -1], usd: [0.1, null], background: [], entry: ['a', 'b'],
      falls: [{ at: 3000, kind: 'compaction', entry: 'f', before: 9, after: 4, superseded: false, reason: '', call: 1 }], window: null, windowSource: '', threshold: null, used: null,
      statements: [{ id: 's', at: 900, tag: 'B', state: 'live', text: 'never =1+1', entry: 'u', call: 0 }],
    };
    expect(rowsOf(tide)).toEqual([
      ['1970-01-01T00:00:00.900Z', 'statement', null, null, null, null, null, null, null, 'u', 'B', 'never =1+1'],
      ['1970-01-01T00:00:01.000Z', 'call', 10, 1, 0, 3, 0.1, null, null, 'a', null, null],
      ['1970-01-01T00:00:03.000Z', 'compaction', null, null, null, null, null, 9, 4, 'f', null, null],
      ['1970-01-01T00:00:05.000Z', 'call', null, null, null, null, null, null, null, 'b', null, null],
    ]);
  });
});
