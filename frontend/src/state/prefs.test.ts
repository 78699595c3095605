import { describe, expect, it } from 'vitest';
import { parsePrefs } from './prefs.svelte';

describe('parsePrefs', () => {
  it.each([
    [null, { theme: 'system' }],
    ['', { theme: 'system' }],
    ['{"lang":"zh","theme":"dark"}', { lang: 'zh', theme: 'dark' }],
    ['{"lang":"fr","theme":"neon"}', { theme: 'system' }],
    ['{"density":"roomy"}', { theme: 'system', density: 'roomy' }],
    ['{"density":"tiny"}', { theme: 'system' }],
    ['[]', { theme: 'system' }],
    ['null', { theme: 'system' }],
    ['"dark"', { theme: 'system' }],
    ['{', { theme: 'system' }],
  ])('%s', (text, want) => expect(parsePrefs(text)).toEqual(want));
});
