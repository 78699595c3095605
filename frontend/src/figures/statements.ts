// Which statements are shown, and in which order. Pure.

import type { Statement } from '../api/types.gen';
import type { Route } from '../state/url';

type Choice = Pick<Route, 'tag' | 'speaker' | 'state' | 'pinned' | 'repeated'>;

/** Says whether a statement is among the chosen ones, but for its time. */
export function isChosen(s: Statement, choice: Choice): boolean {
  if (choice.tag !== 'all' && s.tag !== choice.tag) return false;
  if (choice.speaker !== 'all' && s.speaker !== choice.speaker) return false;
  if (choice.state !== 'all' && s.state !== choice.state) return false;
  return (!choice.pinned || s.pinned) && (!choice.repeated || s.repeats > 0);
}

/** Statements under one head: the pinned ones, a day, or those whose day is not known. */
export interface Group {
  key: 'pinned' | 'undated' | `day ${string}`;
  /** The day, "" where it is none. */
  day: string;
  rows: Statement[];
}

/** The pinned ones first, then day by day as they come; undated ones last. */
export function grouped(rows: readonly Statement[], dayOf: (at: string) => string): Group[] {
  const pinned: Group = { key: 'pinned', day: '', rows: [] };
  const undated: Group = { key: 'undated', day: '', rows: [] };
  const days = new Map<string, Group>();
  for (const s of rows) {
    const day = s.at === null ? '' : dayOf(s.at);
    if (s.pinned) pinned.rows.push(s);
    else if (day === '') undated.rows.push(s);
    else {
      const group = days.get(day);
      if (group) group.rows.push(s);
      else days.set(day, { key: `day ${day}`, day, rows: [s] });
    }
  }
  return [pinned, ...[...days.values()].toSorted((a, b) => (a.day < b.day ? 1 : -1)), undated].filter((g) => g.rows.length > 0);
}

/** What a rule looks for, as a person would say it. */
export type Family = (typeof families)[number][0] | 'hand' | 'want' | 'boundary' | 'detail';

/** By parts of the rules' names, the first that fits. */
const families = [
  ['asked', /^(keep|remember|note|write-to)/],
  ['ask', /^(ask|no-ask|asking|before-must|first-me|without-me|my-ok|wait-till|standing-ask)/],
  ['private', /^(private|all-mine|red-line|strict)/],
  ['hours', /^(hours|quiet|time-no|my-time)/],
  ['limit', /^(only|limit|within|hold|leave)/],
  ['never', /^(never|dont|no|no-more|no-need|nothing|not-again|cannot|any-not|again|topic-no|supplier-no|thing-no)$|^(never|dont|only-never)-/],
  ['permit', /^(allow|permit|free)/],
  ['standing', /^(always|standing|habit|now-on|before-now|each|when|must|routine|regularly|recur|by$|if-then|someone-then)/],
  ['taste', /^(like|love|not-love|prefer|rather|best|dislike|aversion|taste|do-taste|topic-taste|want|wish|rush|not-eat|enough|find)/],
  ['style', /^(style|call|call-me|summaries|flat|talk|sign|space|piece-how|thank-way|topic-do|change|elliptic|fragment|broad|place)/],
  ['self', /^(self|i-am|i-am-a|my|my-name|age|live|moved|work|kin|health|allergic|diet|pregnant|zone|remote|own-now|being|unable|he|we|stative|possessive)/],
  ['date', /^(date|due|event|away|for-now|lasts-till|passed|decided|no-longer)/],
  ['business', /^(biz|supplier|fee|contact|have)/],
] as const;

/** The family of a rule by its name, "en-never", else by the tag that it gives. */
export function familyOf(rule: string, tag: string, byHand: boolean): Family {
  if (byHand || rule === '') return byHand ? 'hand' : byTag(tag);
  const name = rule.replace(/^[a-z]{2}-/, '');
  return families.find(([, form]) => form.test(name))?.[0] ?? byTag(tag);
}

function byTag(tag: string): Family {
  return tag === 'W' ? 'want' : tag === 'B' ? 'boundary' : 'detail';
}
