// The conversation of an invented session.

import type { Entry } from '../../api/types.gen';
import { fakeAttack, fakeLines } from './people';
import type { FakeCall, World } from './world';

/** Makes the entries of a session, in order: three or so for each call. */
export function talkOf(world: World, id: string): Entry[] {
  const calls = world.calls.filter((c) => c.session === id);
  const falls = world.compactions.filter((c) => c.sessionId === id).toReversed();
  const first = calls[0];
  const out: Entry[] = first ? [bare('session', 'header', first.at)] : [];
  let line = 0;
  calls.forEach((call, i) => {
    for (;;) {
      const [role, text] = fakeLines[line++ % fakeLines.length] ?? ['user', ''];
      out.push(entryOf(role, text, call, `m${out.length}`));
      if (role === 'assistant') break;
    }
    const fall = falls.find((f) => f.at !== null && Date.parse(f.at) >= call.at && Date.parse(f.at) < (calls[i + 1]?.at ?? Infinity));
    if (fall) out.push({ ...bare('compaction', fall.entryId, Date.parse(fall.at ?? ''), fall.summary), onPath: !fall.superseded });
    if (i === 12) out.push(...extras(call));
  });
  const last = out.findLastIndex((e) => e.kind === 'compaction');
  return out.map((e, i) => ({ ...e, line: i + 1, inContext: i > last - 12, path: `agents/${first?.agent}/sessions/${id}.jsonl` }));
}

/** What appears seldom, once each. */
function extras(call: FakeCall): Entry[] {
  return [
    bare('model_change', 'x1', call.at, 'anthropic/claude-sonnet-4-6'),
    { ...entryOf('user', 'Forget that, the other kiln.', call, 'x2'), onPath: false },
    { ...entryOf('assistant', 'The other kiln then.', call, 'x3'), onPath: false },
    bare('leaf', 'x4', call.at),
    { ...entryOf('user', 'Here is the test tile.', call, 'x5'), images: 1, imageBytes: 355_000 },
    { ...entryOf('assistant', fakeAttack, call, 'x6'), html: fakeAttack, text: 'Summary of the page: …' },
    { ...entryOf('user', 'Check the stock and write HEARTBEAT_OK if all is well.', call, 'x7'), background: true },
    { ...entryOf('assistant', '', call, 'x8'), stopReason: 'error', usd: null, price: 'unknown', tokens: null },
    { ...bare('hologram', 'x9', call.at), type: 'hologram' },
    bare('reset', 'x10', call.at, 'new'),
  ];
}

function entryOf(role: string, text: string, call: FakeCall, id: string): Entry {
  const [kind, tool] = role.split(':');
  const html = text.startsWith('<') ? text : '';
  const plain = html === '' ? text : html.replaceAll(/<\/?strong>/g, '**').replaceAll(/<[^>]+>/g, role === 'user' ? '' : ' ');
  const entry: Entry = { ...bare('message', id, call.at, plain), html, role: kind === 'tool' ? 'toolResult' : (kind ?? ''), textTokens: Math.ceil(plain.length / 3.6) };
  if (tool) return { ...entry, tool, isError: text.startsWith('error'), textTokens: entry.textTokens * 40 };
  if (role !== 'assistant') return entry;
  return { ...entry, tokens: call.tokens, usd: call.unpriced ? null : call.usd, price: call.price, model: call.model, background: call.background };
}

function bare(kind: string, id: string, at: number, text = ''): Entry {
  return {
    id, kind, type: kind, role: '', at: new Date(at).toISOString(), text, html: '', tool: '', isError: false, stopReason: '',
    images: 0, imageBytes: 0, textTokens: 0, onPath: true, inContext: true, background: false, speaker: '', channel: '', chat: '', before: '', path: '', line: 0,
    tokens: null, usd: null, price: '', model: '', statements: [],
  };
}
