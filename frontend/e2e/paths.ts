// The pages that are walked, with what the data at hand has to open.

import type { Compaction, Problem, Session, StatementList } from '../src/api/types.gen';
import type { House } from './browser';

/** Names and paths of pages; details of the data's own, the states of invented data. */
export async function paths(house: House): Promise<Record<string, string>> {
  const found: Record<string, string> = { today: '/', todayAll: '/?range=all', sessions: '/sessions', compactions: '/compactions', statements: '/statements', costs: '/costs', problems: '/problems', settings: '/settings' };
  const get = async <T>(path: string): Promise<T[]> => (await (await house.context.request.get(new URL(path, house.url).href)).json()) as T[];
  const sessions = await get<Session>('/api/sessions');
  const longest = sessions.toSorted((a, b) => b.messages - a.messages)[0];
  if (longest) found['session'] = at('/session', { agent: longest.agent, session: longest.sessionId });
  const [fall] = await get<Compaction>('/api/compactions');
  if (fall) found['compaction'] = at('/compactions', { open: `${fall.agent}/${fall.sessionId}/${fall.entryId}` });
  if (fall) found['compactionPage'] = at('/compaction', { agent: fall.agent, session: fall.sessionId, entry: fall.entryId });
  if (fall) found['sessionAtCompaction'] = at('/session', { agent: fall.agent, session: fall.sessionId, entry: fall.entryId });
  const { statements } = (await (await house.context.request.get(new URL('/api/statements', house.url).href)).json()) as StatementList;
  const [stated] = statements ?? [];
  if (stated) found['statement'] = at('/statements', { open: stated.id });
  if (stated) found['statementsNarrowed'] = at('/statements', { tag: 'B', speaker: 'owner', state: 'live' });
  const [problem] = await get<Problem>('/api/problems');
  if (problem) found['problem'] = at('/problems', { open: `${problem.code} ${problem.line} ${problem.path}` });
  for (const by of ['day', 'model', 'session']) found[`costsBy${by}`] = at('/costs', { by, table: by === 'model' ? '1' : '' });
  found['costsNarrowed'] = at('/costs', { asked: 'background', priced: 'known', range: '30d' });
  found['nowhere'] = '/nowhere';
  if (house.invented) {
    for (const state of ['empty', 'failing', 'slow']) found[state] = at('/sessions', { installation: state });
    for (const state of ['empty', 'failing', 'first', 'sample']) found[`${state}Today`] = at('/', { installation: state });
    found['emptyStatements'] = at('/statements', { installation: 'empty' });
    found['ledgerFull'] = at('/statements', { installation: 'full' });
    found['emptyCosts'] = at('/costs', { installation: 'empty' });
  }
  return found;
}

function at(path: string, query: Record<string, string>): string {
  return `${path}?${new URLSearchParams(Object.entries(query).filter(([, v]) => v !== ''))}`;
}
