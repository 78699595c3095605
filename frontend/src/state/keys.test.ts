import { describe, expect, it } from 'vitest';
import { keyMachine, letters, type Action, type Press } from './keys';

const plain = { ctrlKey: false, metaKey: false, altKey: false, inField: false, isComposing: false };
const press = (key: string, more: Partial<Press> = {}): Press => ({ key, at: 0, ...plain, ...more });
const names = (keys: Press[]): (string | null)[] => {
  const feed = keyMachine();
  return keys.map((k) => feed(k)).map((a: Action | null) => (a === null ? null : a.name === 'go' ? a.view : a.name));
};

describe('keyMachine', () => {
  it.each([
    ['j', 'next'], ['J', 'next'], ['ArrowDown', 'next'], ['k', 'previous'], ['ArrowUp', 'previous'], ['Home', 'first'], ['End', 'last'], ['Escape', 'escape'],
    ['/', 'filter'], ['?', 'help'], ['？', 'help'], ['t', 'table'], ['r', 'refresh'], ['z', 'undo'], ['p', 'pin'], ['e', 'edit'], ['x', null], ['Enter', null], ['Tab', null], ['constructor', null],
  ])('%s is %s', (key, want) => expect(names([press(key)])).toEqual([want]));

  it('goes to a view with G and a letter', () => {
    for (const [letter, view] of Object.entries(letters)) expect(names([press('g'), press(letter)])).toEqual([null, view]);
    expect(names([press('g'), press('j'), press('j')])).toEqual([null, null, 'next']);
    expect(names([press('g'), press('g'), press('s')])).toEqual([null, null, null]);
    expect(names([press('g'), press('s', { at: 1600 })])).toEqual([null, null]);
    expect(names([press('g'), press('toString')])).toEqual([null, null]);
  });

  it('leaves keys alone that are not its own', () => {
    expect(names([press('k', { ctrlKey: true }), press('K', { metaKey: true, inField: true }), press('k', { ctrlKey: true, altKey: true })])).toEqual(['palette', 'palette', null]);
    for (const held of ['ctrlKey', 'metaKey', 'altKey', 'isComposing'] as const) expect(names([press('r', { [held]: true })])).toEqual([null]);
    expect(names([press('j', { inField: true }), press('/', { inField: true }), press('Escape', { inField: true })])).toEqual([null, null, 'escape']);
    expect(names([press('g'), press('s', { inField: true })])).toEqual([null, null]);
  });
});
