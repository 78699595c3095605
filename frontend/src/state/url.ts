// The state of a view is its URL: this is what it says, in both directions.
// The path names the view, parameters that have their default are left out.

import type { By } from '../api/costs';
import { parseRange, rangeText, type Range } from './range';

export const views = ['today', 'sessions', 'session', 'compactions', 'compaction', 'statements', 'costs', 'problems', 'settings'] as const;
export type View = (typeof views)[number];

/** What is on screen. Texts are "" where nothing is chosen. */
export interface Route {
  view: View | 'none';
  installation: string;
  agent: string;
  range: Range;
  /** Words that rows must have. */
  words: string;
  /** Column of the order, with a minus for downwards; "" is the view's own. */
  sort: string;
  /** Row that is open in the pane. */
  open: string;
  /** The session of its page, and the entry to show there. */
  session: string;
  entry: string;
  /** First entry of the page, null for the newest ones. */
  from: number | null;
  kept: 'all' | 'current' | 'archived' | 'gone';
  asked: 'all' | 'you' | 'background';
  by: By;
  /** The model and the kind of price that costs are narrowed to. */
  model: string;
  priced: 'all' | 'known' | 'estimated' | 'unknown';
  table: boolean;
  /** What statements are narrowed to: by kind, who spoke, whether it holds. */
  tag: 'all' | 'W' | 'B' | 'O';
  speaker: 'all' | 'owner' | 'contact' | 'unknown';
  state: 'all' | 'live' | 'superseded' | 'expired';
  pinned: boolean;
  repeated: boolean;
  /** The statement whose words are shown in the conversation. */
  statement: string;
  /** What a tide is drawn over, and the moments that are zoomed to, "" for all. */
  scale: 'time' | 'turns';
  zoom: string;
}

export const start: Route = {
  view: 'today', installation: '', agent: '', range: '24h', words: '', sort: '', open: '',
  session: '', entry: '', from: null, kept: 'all', asked: 'all', by: 'agent', model: '', priced: 'all', table: false,
  tag: 'all', speaker: 'all', state: 'all', pinned: false, repeated: false, statement: '', scale: 'time', zoom: '',
};

const keptAs = ['all', 'current', 'archived', 'gone'] as const;
const askedBy = ['all', 'you', 'background'] as const;
const scales = ['time', 'turns'] as const;
const groups = ['day', 'agent', 'model', 'session'] as const;
const tags = ['all', 'W', 'B', 'O'] as const;
const speakers = ['all', 'owner', 'contact', 'unknown'] as const;
const states = ['all', 'live', 'superseded', 'expired'] as const;
const pricedAs = ['all', 'known', 'estimated', 'unknown'] as const;

/** The range that a view begins with: Today says what is new, others all there is. */
export function rangeFor(view: Route['view']): Range {
  return view === 'today' ? '24h' : 'all';
}

/** Reads a URL. Whatever it does not understand has its default. */
export function parseUrl(url: URL): Route {
  const q = url.searchParams;
  const text = (name: string): string => q.get(name) ?? '';
  const view = viewOf(url.pathname);
  return {
    view,
    installation: text('installation'),
    agent: text('agent'),
    range: parseRange(q.get('range'), rangeFor(view)),
    words: text('words'),
    sort: /^-?[a-z]+$/i.test(text('sort')) ? text('sort') : '',
    open: text('open'),
    session: text('session'),
    entry: text('entry'),
    from: /^\d{1,9}$/.test(text('from')) ? Number(text('from')) : null,
    kept: oneOf(keptAs, text('kept'), start.kept),
    asked: oneOf(askedBy, text('asked'), start.asked),
    by: oneOf(groups, text('by'), start.by),
    model: text('model'),
    priced: oneOf(pricedAs, text('priced'), start.priced),
    table: text('table') === '1',
    tag: oneOf(tags, text('tag'), start.tag),
    speaker: oneOf(speakers, text('speaker'), start.speaker),
    state: oneOf(states, text('state'), start.state),
    pinned: text('pinned') === '1',
    repeated: text('repeated') === '1',
    statement: text('statement'),
    scale: oneOf(scales, text('scale'), start.scale),
    zoom: /^\d{1,15}-\d{1,15}$/.test(text('zoom')) ? text('zoom') : '',
  };
}

function viewOf(path: string): Route['view'] {
  const name = path.replace(/^\/+|\/+$/g, '');
  if (name === '') return 'today';
  return views.find((v) => v === name && v !== 'today') ?? 'none';
}

function oneOf<T extends string>(all: readonly T[], text: string, otherwise: T): T {
  return all.find((x) => x === text) ?? otherwise;
}

/** Writes a route as a path with parameters. */
export function formatUrl(route: Route): string {
  const q = new URLSearchParams();
  const put = (name: string, value: string, otherwise = ''): void => {
    if (value !== otherwise) q.set(name, value);
  };
  put('installation', route.installation);
  put('agent', route.agent);
  put('session', route.session);
  put('range', rangeText(route.range), rangeText(rangeFor(route.view)));
  put('by', route.by, start.by);
  put('model', route.model);
  put('priced', route.priced, start.priced);
  put('kept', route.kept, start.kept);
  put('asked', route.asked, start.asked);
  put('tag', route.tag, start.tag);
  put('speaker', route.speaker, start.speaker);
  put('state', route.state, start.state);
  put('pinned', route.pinned ? '1' : '');
  put('repeated', route.repeated ? '1' : '');
  put('words', route.words);
  put('sort', route.sort);
  put('table', route.table ? '1' : '');
  put('scale', route.scale, start.scale);
  put('zoom', route.zoom);
  put('from', route.from === null ? '' : String(route.from));
  put('entry', route.entry);
  put('statement', route.statement);
  put('open', route.open);
  const query = q.toString();
  const path = route.view === 'today' || route.view === 'none' ? '/' : `/${route.view}`;
  return query === '' ? path : `${path}?${query}`;
}

/**
 * The route of another view: whose, when and nothing else of the present one
 * goes along. A range goes along where it was chosen: what a view begins with
 * is its own.
 */
export function goTo(view: View, now: Route, change: Partial<Route> = {}): Route {
  const own = rangeText(now.range) === rangeText(rangeFor(now.view)) || now.range === '24h' || (view === 'today' && now.range === 'today');
  return { ...start, installation: now.installation, agent: now.agent, range: own ? rangeFor(view) : now.range, ...change, view };
}
