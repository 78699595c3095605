// The statements of the invented world, and what a person decides about them.
// Decisions last as long as the process lives.

import type { Statement, StatementChange, StatementCounts, StatementDetail, StatementEvent, StatementList, StatementOccasion, StatementSpan, TideStatement } from '../../api/types.gen';
import { matches } from '../../figures/select';
import { countOf } from '../../text/points';
import { ApiError } from '../transport';
import { fakePhrases, fakeTold, type Told } from './stated';
import { talkOf } from './talk';
import type { World } from './world';

type Query = (name: string) => string;

interface Kept {
  statement: Statement;
  said: StatementOccasion[];
  history: StatementEvent[];
}

const day = 86_400_000;
let made: Kept[] | undefined;
let many: Statement[] | undefined;

/** All that is kept, made once. */
function keptOf(world: World): Kept[] {
  if (made) return made;
  made = [...heardIn(world), ...fakeTold.map((told, n) => toldOf(world, told, n))];
  for (const [old, by] of [...fakeTold.map((t, n) => [n, t.by] as const), [2, -1] as const]) {
    if (by === undefined) continue;
    const next = by < 0 ? made.find((k) => k.statement.text.startsWith('Lead time for celadon is six')) : made.find((k) => k.statement.id === idOf(by));
    const one = made.find((k) => k.statement.id === idOf(old));
    if (!one || !next) continue;
    one.statement = { ...one.statement, state: 'superseded', by: next.statement.id };
    one.history.push(event('supersede', next.statement.at, { by: next.statement.id, text: next.statement.text }));
  }
  return made;
}

const idOf = (n: number): string => `st-${(0x5d1f8c2e + n * 7919).toString(16)}`;

function event(kind: string, at: string | null, more: Partial<StatementEvent> = {}): StatementEvent {
  return { id: `ev-${++events}`, at, kind, text: '', scope: '', by: '', undone: false, ...more };
}
let events = 0;

/** What was stated in the conversations: each phrase once for an agent, and the times it was said again. */
function heardIn(world: World): Kept[] {
  const found = new Map<string, StatementOccasion[]>();
  for (const session of world.sessions.filter((s) => !s.sessionId.startsWith('cron')).toSorted((a, b) => (a.startedAt ?? '').localeCompare(b.startedAt ?? ''))) {
    const counts = new Map<string, number>();
    for (const entry of talkOf(world, session.sessionId)) {
      if (entry.role !== 'user') continue;
      fakePhrases.forEach(([words], p) => {
        const at = entry.text.indexOf(words);
        const nth = counts.get(words) ?? 0;
        if (at < 0) return;
        counts.set(words, nth + 1);
        if ((nth + p) % 6 !== 0) return; // what is said every hour is heard once in a while
        const start = countOf(entry.text.slice(0, at));
        const key = `${session.agent} ${p}`;
        found.set(key, [...(found.get(key) ?? []), {
          agent: session.agent, sessionId: session.sessionId, entryId: entry.id, at: entry.at, text: words, message: entry.text, start, end: start + countOf(words),
          speakerName: '', channel: session.channel, chat: '', shown: !session.gone,
        }]);
      });
    }
  }
  return [...found].flatMap(([key, said], n): Kept[] => {
    const [, tag, rule, days] = fakePhrases[Number(key.split(' ')[1])] ?? [];
    const first = said[0];
    if (!first || tag === undefined || rule === undefined) return [];
    const until = days === undefined ? null : new Date(world.now + days * day).toISOString();
    return [keptAs(idOf(1000 + n), { tag, text: first.text, rule, until, scope: tag === 'B' ? 'all' : 'agent' }, said)];
  });
}

function toldOf(world: World, told: Told, n: number): Kept {
  const session = world.sessions.find((s) => s.agent === told.agent && s.title !== '');
  const at = (back: number): string => new Date(world.now - back * day).toISOString();
  const message = told.message ?? told.text;
  const start = countOf(message.slice(0, message.indexOf(told.text)));
  const said = Array.from({ length: told.byHand ? 0 : 1 + (told.again ?? 0) }, (_, i): StatementOccasion => ({
    agent: told.agent, sessionId: session?.sessionId ?? '', entryId: `gone-${n}-${i}`, at: at(told.daysAgo / (i + 1)), text: told.text, message: i === 1 ? '' : message, start, end: start + countOf(told.text),
    speakerName: told.name ?? '', channel: told.channel ?? 'telegram', chat: told.chat ?? '', shown: false,
  }));
  const until = told.days === undefined ? null : at(told.daysAgo - told.days);
  const kept = keptAs(idOf(n), { tag: told.tag, text: told.text, rule: told.rule, until, scope: told.scope ?? 'agent' }, said);
  const state = until !== null && Date.parse(until) < world.now ? 'expired' : 'live';
  kept.statement = {
    ...kept.statement, state, agent: told.agent, at: kept.statement.at ?? at(told.daysAgo), speaker: told.speaker ?? 'owner', speakerName: told.name ?? '', channel: told.channel ?? 'telegram', chat: told.chat ?? '',
    pinned: told.pinned ?? false, byHand: told.byHand ?? false,
  };
  if (told.pinned) kept.history.push(event('pin', at(1)));
  return kept;
}

function keptAs(id: string, what: Pick<Statement, 'tag' | 'text' | 'rule' | 'until' | 'scope'>, said: StatementOccasion[]): Kept {
  const first = said[0];
  return {
    statement: {
      ...what, id, agent: first?.agent ?? '', speaker: 'owner', at: first?.at ?? null, sessionId: first?.sessionId ?? '', entryId: first?.entryId ?? '', state: 'live', repeats: Math.max(0, said.length - 1),
      pinned: false, edited: false, byHand: false, speakerName: '', channel: first?.channel ?? '', chat: '', by: '', lastAt: said.at(-1)?.at ?? null, lang: '',
    },
    said, history: said.map((o, i) => event(i === 0 ? 'statement' : 'repeat', o.at, { text: o.text, scope: i === 0 ? what.scope : '' })),
  };
}

/** The list; the installation "many" has as many as are ever kept, "full" a disk that is full. */
export function statementsOf(world: World, where: string, q: Query): StatementList {
  const all = where === 'many' ? (many ??= manyOf(world)) : keptOf(world).filter((k) => k.statement.state !== 'forgotten').map((k) => k.statement);
  const inSession = (s: Statement): boolean => keptOf(world).some((k) => k.statement.id === s.id && k.said.some((o) => o.sessionId === q('session')));
  const shown = all.filter((s) => (!q('agent') || s.agent === q('agent') || (s.scope === 'all' && s.speaker === 'owner'))
    && (!q('session') || inSession(s)) && (!q('words') || matches(q('words'), [s.text, s.speakerName, s.rule])))
    .toSorted((a, b) => (b.at ?? '').localeCompare(a.at ?? ''));
  return { statements: shown, total: all.length, counts: countsOf(shown), waiting: where === 'full' ? 3 : 0, ledgerError: where === 'full' ? 'no space left on the disk' : '' };
}

function countsOf(all: readonly Statement[]): StatementCounts {
  const of = (fits: (s: Statement) => boolean): number => all.filter(fits).length;
  return {
    wants: of((s) => s.tag === 'W'), boundaries: of((s) => s.tag === 'B'), details: of((s) => s.tag === 'O'), live: of((s) => s.state === 'live'), superseded: of((s) => s.state === 'superseded'),
    expired: of((s) => s.state === 'expired'), pinned: of((s) => s.pinned), repeated: of((s) => s.repeats > 0),
  };
}

function manyOf(world: World): Statement[] {
  const like = keptOf(world).map((k) => k.statement);
  return Array.from({ length: 20_000 }, (_, i) => ({ ...(like[i % like.length] as Statement), id: `many-${i}`, pinned: i % 4000 === 7, at: new Date(world.now - i * 3_100_000).toISOString(), text: `${like[i % like.length]?.text} (${i})` }));
}

function keptBy(world: World, id: string): Kept {
  const one = keptOf(world).find((k) => k.statement.id === id);
  if (!one) throw new ApiError('not-found', `there is no statement ${id}`, 'List them with: tidemark statements list');
  return one;
}

export function statementOf(world: World, id: string): StatementDetail {
  const { statement, said, history } = keptBy(world, id);
  const all = keptOf(world).map((k) => k.statement);
  return {
    statement, said, history, replaces: all.filter((s) => s.by === id && s.state !== 'forgotten'), replacedBy: all.find((s) => s.id === statement.by) ?? null,
    ledgerPath: `/home/anna/.local/share/tidemark/ledger/home/${statement.agent}/kept/${statement.at?.slice(0, 10)}.md`, undo: lastOf(history)?.id ?? '',
  };
}

const decisions = new Set(['pin', 'unpin', 'correct', 'scope']);
const lastOf = (history: readonly StatementEvent[]): StatementEvent | undefined => history.findLast((e) => decisions.has(e.kind) && !e.undone);
/** What a statement was before a decision, by the decision's id. */
const before = new Map<string, Statement>();

/** Does what a person decided; with a disk that is full it cannot be written. */
export function change(world: World, where: string, how: StatementChange): StatementDetail {
  const one = keptBy(world, how.id);
  if (where === 'full') throw new ApiError('unavailable', 'write the ledger: no space left on the disk', 'Nothing was changed. Free some space, or make the folder of the ledger writable, and try again.');
  if (how.do === 'correct' && how.text.trim() === '') throw new ApiError('invalid', 'a statement needs words');
  if (how.do === 'undo') undo(one);
  else {
    const of = event(how.do, new Date().toISOString(), { text: how.text, scope: how.scope });
    before.set(of.id, one.statement);
    one.history.push(of);
    one.statement = { ...one.statement, ...changed(how) };
  }
  if (how.do === 'forget') [one.said, one.history] = [[], one.history.slice(-1)];
  return statementOf(world, how.id);
}

function changed(how: StatementChange): Partial<Statement> {
  switch (how.do) {
    case 'pin': return { pinned: true };
    case 'unpin': return { pinned: false };
    case 'correct': return { text: how.text, edited: true, ...(how.tag ? { tag: how.tag } : {}) };
    case 'scope': return { scope: how.scope };
    case 'forget': return { text: '', state: 'forgotten', pinned: false, speakerName: '' };
    default: throw new ApiError('invalid', `there is nothing called “${how.do}” to do with a statement`);
  }
}

function undo(one: Kept): void {
  const last = lastOf(one.history);
  if (!last) throw new ApiError('invalid', 'there is nothing to take back');
  last.undone = true;
  one.statement = before.get(last.id) ?? { ...one.statement, pinned: false };
  one.history.push(event('undo', new Date().toISOString()));
}

/** The statements in an entry. */
export function spansOf(world: World, session: string, entry: string): StatementSpan[] {
  return keptOf(world).flatMap(({ statement: s, said }) => said.filter((o) => o.sessionId === session && o.entryId === entry).map((o) => ({ id: s.id, tag: s.tag, state: s.state, start: o.start, end: o.end })));
}

/** The statements of a session on its tide. */
export function saidOn(world: World, session: string, calls: readonly number[]): TideStatement[] {
  return keptOf(world).flatMap(({ statement: s, said }) => said.filter((o) => o.sessionId === session && o.shown).map((o): TideStatement => {
    const at = Date.parse(o.at ?? '');
    const call = calls.findIndex((c) => c >= at);
    return { id: s.id, at, tag: s.tag, state: s.state, text: o.text, entry: o.entryId, call: call < 0 ? calls.length : call };
  })).toSorted((a, b) => a.at - b.at);
}
