// Answers the questions of the API from the invented world. The installations
// "empty", "failing", "slow", "first" and "sample" show the states that a view
// can be in; "full" and "many", which no list has, those of the ledger.

import type { Installation, Problem, SessionDetail, Settings, StatementChange, Status } from '../../api/types.gen';
import { ApiError, type Ask } from '../transport';
import { fakeSettings, keep } from './settings';
import { agentsOf, costsOf } from './sums';
import { compactionOf, entriesOf, foundOf, sessionOf } from './one';
import { change, spansOf, statementOf, statementsOf } from './statements';
import { tideOf } from './tide';
import { todayOf } from './today';
import { progressOf, rebuild, tellReading } from './work';
import { makeWorld, type World } from './world';

const full = makeWorld(Date.now());
const nothing: World = { now: Date.now(), calls: [], sessions: [], compactions: [] };

const problems: Problem[] = [
  { code: 'bad-archive', path: 'agents/main/sessions/19814284.jsonl.deleted.2026-11-02T10-00-00.000Z.zst', line: 0, count: 1, message: 'the archive ends in the middle: 212 entries were read, the rest is missing', hint: 'Restore the file from a backup if you have one.' },
  { code: 'bad-line', path: 'agents/mail/sessions/5d1f8c2e.jsonl', line: 1207, count: 3, message: '3 lines are no JSON', hint: 'They were probably cut off when the disk was full. The rest of the file was read.' },
  { code: 'price-unknown', path: 'deepseek/deepseek-v3.2', line: 0, count: 212, message: 'the cost of 212 calls of deepseek/deepseek-v3.2 is unknown', hint: 'Set the model’s price (models.providers.<provider>.models[].cost) in openclaw.json; Tidemark then prices them.' },
  { code: 'usage-missing', path: 'custom/proxy', line: 0, count: 2, message: '2 calls of custom/proxy have no usage', hint: 'Turn usage reporting on at the provider or proxy, if it has it.' },
  { code: 'shared-workspace', path: '/home/anna/.openclaw/workspace', line: 0, count: 2, message: 'main and books use one workspace', hint: '' },
  { code: 'blank-line', path: 'agents/mail/sessions/5d1f8c2e.jsonl', line: 0, count: 14, message: '14 empty lines between records', hint: '' },
  { code: 'something-new', path: 'agents/main', line: 0, count: 1, message: 'a finding of a kind that this page has no words for', hint: '' },
];

/** Gives the answer to a question, as JSON would come. */
export async function answer(ask: Ask): Promise<unknown> {
  const q = (name: string): string => String(ask.query?.[name] ?? '');
  const where = q('installation');
  if (ask.method === 'POST') return tell(ask, where, q);
  if (where === 'slow' && ask.path !== '/api/status' && ask.path !== '/api/settings') await new Promise((done) => setTimeout(done, 4000));
  if (where === 'failing' && !['/api/installations', '/api/status', '/api/settings'].includes(ask.path)) {
    throw new ApiError('unavailable', 'read sessions: permission denied', 'Let your user read the folder, then try again.');
  }
  return route(ask.path, where === 'empty' ? nothing : full, where, q);
}

/** Does what a POST asks for. */
async function tell(ask: Ask, where: string, q: (name: string) => string): Promise<unknown> {
  switch (ask.path) {
    case '/api/settings':
      return keep(ask.body as Settings);
    case '/api/reading':
      return tellReading(where, q('do'));
    case '/api/rebuild':
      return rebuild(where);
    case '/api/statement':
      return change(full, where, ask.body as StatementChange);
    case '/api/demo':
      return place('sample');
    default:
      throw new ApiError('not-found', `there is no ${ask.path}`);
  }
}

function place(id: string): Installation {
  return { id: id || 'home', stateDir: `/home/anna/.openclaw${id && '-' + id}`, profile: id, legacy: false, default: id === '' };
}

function route(path: string, world: World, where: string, q: (name: string) => string): unknown {
  const of = <T extends { agent: string }>(all: T[]): T[] => all.filter((x) => !q('agent') || x.agent === q('agent'));
  switch (path) {
    case '/api/installations':
      return ['', 'empty', 'failing', 'slow', 'first', 'sample'].map(place);
    case '/api/settings':
      return fakeSettings.now;
    case '/api/today':
      return world === nothing ? { ...todayOf(world, 'nobody', '', ''), needs: [] } : todayOf(world, q('agent'), q('from'), q('to'));
    case '/api/status':
      return status(world, where);
    case '/api/scan':
      return { agents: [], sessions: world.sessions.length, messages: 0, userMessages: 0, compactions: 0, tokens: costsOf(world, 'day', '', '', '', '').total.tokens, cost: { usd: 0, unpricedCalls: 0 }, problems: [], elapsedMs: 12 };
    case '/api/agents':
      return world === nothing ? [] : agentsOf(world);
    case '/api/sessions':
      return of(world.sessions);
    case '/api/session':
      return session(world, q);
    case '/api/costs':
      return costsOf(world, q('by'), q('agent'), q('session'), q('from'), q('to'), { model: q('model'), asked: q('asked'), priced: q('priced') });
    case '/api/compactions':
      return of(world.compactions).filter((c) => !q('session') || c.sessionId === q('session'));
    case '/api/tide':
      return tideOf(world, q('agent'), q('session'));
    case '/api/compaction':
      return compactionOf(world, q);
    case '/api/find':
      return foundOf(world, q);
    case '/api/statements':
      return world === nothing ? { statements: null, total: 0, counts: {}, waiting: 0, ledgerError: '' } : statementsOf(world, where, q);
    case '/api/statement':
      return statementOf(world, q('id'));
    case '/api/problems':
      return world === nothing ? [] : problems;
    default:
      throw new ApiError('not-found', `there is no ${path}`);
  }
}

function session(world: World, q: (name: string) => string): SessionDetail {
  const found = sessionOf(world, q);
  const all = entriesOf(world, found.sessionId);
  const offset = Number(q('offset'));
  const from = offset < 0 ? Math.max(0, all.length + offset) : Math.min(offset, all.length);
  const entries = all.slice(from, from + Number(q('limit'))).map((e) => ({ ...e, statements: spansOf(world, found.sessionId, e.id) }));
  return { session: found, entries, total: all.length, from };
}

function status(world: World, where: string): Status {
  const progress = progressOf(where, Date.now());
  const read = progress.job === 'reading' ? null : new Date(world.now - 4000).toISOString();
  return {
    version: '0.1.0', stateDir: place(where).stateDir, dataDir: '/home/anna/.local/share/tidemark', zone: fakeSettings.now.zone, demo: where === 'sample', ...progress,
    updatedAt: read, changedAt: read, watching: where === 'empty' ? 'polling' : 'events', error: where === 'failing' ? 'permission denied' : '',
    ledgerError: where === 'full' ? 'no space left on the disk' : '', ledgerWaiting: where === 'full' ? 3 : 0,
  };
}
