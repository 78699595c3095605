// What stands in the place of each entry. A place may be empty: the entries of
// a branch that was left share one fold, in the place of the first of them that
// is known, whatever stretches they came in. Pure.

import type { Compaction, Entry } from '../api/types.gen';
import { itemOf, type Item } from './items';
import type { Span } from './window';

export interface Fold {
  /** Entries of the branch that are known. */
  count: number;
  open: boolean;
  /** This place shows the fold's own line. */
  head: boolean;
  /** Ids of its entries: whoever opens it remembers them all. */
  ids: readonly string[];
}

export interface Slot {
  index: number;
  /** Undefined until its stretch has come. */
  item: Item | undefined;
  /** The day that begins here, "" where none does. */
  day: string;
  /** From here on the agent still sees what was said. */
  edge: boolean;
  fold: Fold | null;
}

export interface Sources {
  entryAt: (index: number) => Entry | undefined;
  recordOf: (entry: string) => Compaction | undefined;
  dayOf: (at: string) => string;
  /** Says whether the fold that holds an entry was opened. */
  isOpen: (entry: string) => boolean;
}

/** Longer branches are cut into several folds. */
const longest = 2000;
/** How far back an entry with a time, or a message, is looked for. */
const lookBack = 60;

/** The places of a span, in order. */
export function slotsOf(span: Span, of: Sources): Slot[] {
  const out: Slot[] = [];
  let run: (Span & Fold) | null = null;
  for (let index = span.from; index < span.to; index++) {
    const entry = of.entryAt(index);
    if (!entry) {
      out.push({ index, item: undefined, day: '', edge: false, fold: null });
      continue;
    }
    if (!isLeft(entry)) run = null;
    else if (run === null || index >= run.to) run = runAt(index, of);
    const fold = run === null ? null : { count: run.count, open: run.open, ids: run.ids, head: index === run.from };
    const shown = fold === null || fold.head || fold.open;
    const item = itemOf(entry, `${index} ${entry.id}`, of.recordOf(entry.id));
    out.push({ index, item, day: shown ? newDay(index, entry, of) : '', edge: isEdge(index, entry, of), fold });
  }
  return out;
}

/** A compaction stays in its place even where its branch was left. */
function isLeft(entry: Entry | undefined): boolean {
  return entry !== undefined && !entry.onPath && entry.kind !== 'compaction';
}

function runAt(index: number, of: Sources): Span & Fold {
  let [from, to] = [index, index + 1];
  while (index - from < longest && isLeft(of.entryAt(from - 1))) from--;
  while (to - index < longest && isLeft(of.entryAt(to))) to++;
  const ids: string[] = [];
  for (let i = from; i < to; i++) ids.push(of.entryAt(i)?.id ?? '');
  return { from, to, ids, count: to - from, head: true, open: ids.some((id) => of.isOpen(id)) };
}

/** The day of an entry where the one before it, as far as its time is known, was on another. */
function newDay(index: number, entry: Entry, of: Sources): string {
  if (entry.at === null) return '';
  const day = of.dayOf(entry.at);
  for (let i = index - 1; i >= Math.max(0, index - lookBack); i--) {
    const before = of.entryAt(i);
    if (!before) return day; // as if it began here: corrected once it has come
    if (before.at !== null) return of.dayOf(before.at) === day ? '' : day;
  }
  return day;
}

/** The first message that is still in the context, behind one that is not. */
function isEdge(index: number, entry: Entry, of: Sources): boolean {
  if (!isMessage(entry) || !entry.inContext) return false;
  for (let i = index - 1; i >= Math.max(0, index - lookBack); i--) {
    const before = of.entryAt(i);
    if (!before) return false;
    if (isMessage(before)) return !before.inContext;
  }
  return false;
}

function isMessage(e: Entry): boolean {
  return e.onPath && (e.kind === 'message' || e.kind === 'custom_message');
}
