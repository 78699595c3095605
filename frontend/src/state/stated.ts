// What is said of a statement, in words.

import type { Statement } from '../api/types.gen';
import { isKey, t } from '../i18n/index.svelte';
import { show } from './show';

/** The word of a tag; one that is not known shows itself. */
export function tagWord(tag: string): string {
  const key = `tag.${tag}`;
  return isKey(key) ? t(key) : tag;
}

/** Whether it holds, in a word. */
export function stateWord(state: string): string {
  const key = `statements.state.${state}`;
  return isKey(key) ? t(key) : state;
}

/** Who said it: the reader, a name, or that it is not known. */
export function speakerWords(s: Pick<Statement, 'speaker' | 'speakerName'>): string {
  if (s.speaker === 'owner') return s.speakerName || t('statement.by.you');
  if (s.speaker === 'contact') return s.speakerName || t('statements.speaker.contact');
  return s.speakerName || t('statements.speaker.unknown');
}

/** Where it was said, "" where that is not known. */
export function placeWords(s: Pick<Statement, 'channel' | 'chat'>): string {
  return [s.channel, s.chat].filter((x) => x !== '').join(' · ');
}

/** Until when it holds: the last day of it. */
export function untilWords(s: Statement): string {
  if (s.until === null) return '';
  const last = new Date(Date.parse(s.until) - 1);
  return Number.isNaN(last.getTime()) ? '' : t('statements.until', { day: show.date(show.dayOf(last.toISOString())) });
}

/** For whom it holds. An unknown speaker's binds nobody. */
export function scopeWords(s: Pick<Statement, 'speaker' | 'scope'>): string {
  if (s.speaker === 'unknown') return t('statement.scope.none');
  const key = `statement.scope.${s.scope}`;
  return isKey(key) ? t(key) : s.scope;
}
