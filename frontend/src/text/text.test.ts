import { describe, expect, it } from 'vitest';
import { safeAddress } from './address';
import { langOf } from './language';

describe('safeAddress', () => {
  it.each([
    ['https://example.org', 'https://example.org/'],
    [' http://127.0.0.1:1/x ', 'http://127.0.0.1:1/x'],
    ['mailto:a@example.org', 'mailto:a@example.org'],
    ['https://ex\u0430mple.org/', 'https://xn--exmple-4nf.org/'], // a Cyrillic letter shows
    ['https://example.org/\u202egnp.exe', 'https://example.org/%E2%80%AEgnp.exe'],
  ])('%j is shown as %s', (href, want) => expect(safeAddress(href)).toBe(want));
  it.each(['', '#x', '/x', '//x', 'javascript:alert(1)', 'java\tscript:alert(1)', 'data:text/html,x', 'ftp://x', 'https://a:b@c', 'https://a@c', 'https://x/' + 'a'.repeat(3000)])('%j is not opened', (href) => {
    expect(safeAddress(href)).toBeNull();
  });
});

describe('langOf', () => {
  it.each([
    ['釉料供应商', 'zh-CN'], ['ok，好', 'zh-CN'], ['釉薬の注文', 'ja'], ['유약 주문', 'ko'], ['Glaze order', undefined], ['', undefined],
  ])('%s', (text, want) => expect(langOf(text)).toBe(want));
});
