// The language of a text that somebody wrote, as far as its script tells: it
// decides which form of a Chinese character a font draws. Pure.

/** A value for the lang attribute, undefined where the script tells nothing. */
export function langOf(text: string): string | undefined {
  const start = text.slice(0, 2000);
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(start)) return 'ja';
  if (/\p{Script=Hangul}/u.test(start)) return 'ko';
  if (/\p{Script=Han}/u.test(start)) return 'zh-CN';
  return undefined;
}

/** The language that the API names, as fonts know it; undefined where it names none. */
export function asSpoken(lang: string): string | undefined {
  if (lang === '') return undefined;
  return lang === 'zh' ? 'zh-CN' : lang === 'zh-Hant' ? 'zh-TW' : lang;
}
