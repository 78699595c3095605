import { items, object, scoped, type Scope } from './client';
import type { StatementChange, StatementDetail, StatementList } from './types.gen';

/** Whose statements: those told to an agent or that hold for it, of a session, with some words; "" for all. */
export interface StatementsAsk extends Scope {
  session?: string;
  words?: string;
}

/** What people stated, the newest first. */
export async function statements(ask: StatementsAsk, signal?: AbortSignal): Promise<StatementList> {
  const list = await object<StatementList>({ path: '/api/statements', query: { ...scoped(ask), session: ask.session, words: ask.words }, signal });
  return { ...list, statements: items(list.statements) };
}

/** One statement with all that is known of it. */
export async function statement(ask: { installation: string; id: string }, signal?: AbortSignal): Promise<StatementDetail> {
  return whole(await object<StatementDetail>({ path: '/api/statement', query: { installation: ask.installation, id: ask.id }, signal }));
}

/** What a person decides: what is not about it is left out. */
export type Decision = { id: string } & (
  | { do: 'pin' | 'unpin' | 'forget' | 'undo' }
  | { do: 'correct'; text: string; tag: string }
  | { do: 'scope'; scope: string });

/** Does what a person decided and gives the statement as it is then. */
export async function decide(installation: string, decision: Decision): Promise<StatementDetail> {
  const body: StatementChange = { text: '', tag: '', scope: '', by: '', ...decision };
  return whole(await object<StatementDetail>({ method: 'POST', path: '/api/statement', query: { installation }, body }));
}

function whole(d: StatementDetail): StatementDetail {
  return { ...d, said: items(d.said), history: items(d.history), replaces: items(d.replaces) };
}
