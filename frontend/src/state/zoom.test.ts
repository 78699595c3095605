import { describe, expect, it } from 'vitest';
import { sizes, stepped } from './zoom';

describe('stepped', () => {
  it.each([[1, 'in', 1.1], [1, 'out', 0.9], [2, 'in', 2], [0.8, 'out', 0.8], [1.75, 'reset', 1], [1.03, 'in', 1.1], [1.03, 'out', 1]])('%d %s is %d', (size, step, want) => expect(stepped(size, step)).toBe(want));

  it('goes through all sizes and back', () => {
    let size: number = sizes[0];
    for (const next of sizes.slice(1)) expect((size = stepped(size, 'in'))).toBe(next);
    for (const next of sizes.slice(0, -1).toReversed()) expect((size = stepped(size, 'out'))).toBe(next);
  });
});
