// Marks of statements in a safe tree. Their places are known in the text that
// the tree was made of; the tree has lost the signs of Markdown, so a statement
// is found by its letters. Pure.

import type { Safe } from './sanitise';
import { wordsAt, type Span } from './points';

/** What Markdown and white space add to a text or take from it. */
const skipped = /[\s*_`~#>|[\](){}\\!<+=&;-]/u;

interface Letter {
  /** Which text of the tree, in the order of reading, and where in it. */
  text: number;
  at: number;
  size: number;
}

/** A tree with the marks in it, and the spans that have none. */
export interface Marked<S> {
  nodes: Safe<S>[];
  missing: S[];
}

/** Marks spans of text in the tree that was made of it. */
export function markIn<S extends Span>(nodes: readonly Safe[], text: string, spans: readonly S[]): Marked<S> {
  const texts: string[] = [];
  gather(nodes, texts);
  const letters = texts.flatMap((t, n) => lettersOf(t, n));
  const all = letters.map((l) => texts[l.text]?.slice(l.at, l.at + l.size) ?? '');
  const cuts: Cut<S>[] = [];
  const missing: S[] = [];
  let from = 0;
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const words = wordsAt(text, span);
    const wanted = lettersOf(words, 0).map((l) => words.slice(l.at, l.at + l.size));
    const found = find(all, wanted, from);
    if (found < 0) {
      missing.push(span);
      continue;
    }
    from = found + wanted.length;
    cuts.push(...cutsOf(letters.slice(found, from), texts, span));
  }
  const counter = { n: 0 };
  return { nodes: rebuilt(nodes, cuts, counter), missing };
}

/** A part of one text of the tree that is marked. */
interface Cut<S> {
  text: number;
  from: number;
  to: number;
  span: S;
  /** The mark goes on from a text before. */
  more: boolean;
}

function gather(nodes: readonly Safe[], into: string[]): void {
  for (const node of nodes) {
    if (typeof node === 'string') into.push(node);
    else if ('children' in node) gather(node.children, into);
  }
}

function lettersOf(text: string, n: number): Letter[] {
  const out: Letter[] = [];
  let at = 0;
  for (const point of text) {
    if (!skipped.test(point)) out.push({ text: n, at, size: point.length });
    at += point.length;
  }
  return out;
}

/** Where a run of letters begins at or behind a place, -1 where it does not. */
function find(all: readonly string[], wanted: readonly string[], from: number): number {
  if (wanted.length === 0) return -1;
  for (let i = from; i + wanted.length <= all.length; i++) {
    let n = 0;
    while (n < wanted.length && all[i + n] === wanted[n]) n++;
    if (n === wanted.length) return i;
  }
  return -1;
}

/** A run of letters as parts of the texts that it goes through, with the white space between them. */
function cutsOf<S>(letters: readonly Letter[], texts: readonly string[], span: S): Cut<S>[] {
  const out: Cut<S>[] = [];
  for (const l of letters) {
    const last = out.at(-1);
    if (last?.text === l.text) last.to = l.at + l.size;
    else {
      if (last) last.to = texts[last.text]?.length ?? last.to;
      out.push({ text: l.text, from: last ? 0 : l.at, to: l.at + l.size, span, more: last !== undefined });
    }
  }
  return out;
}

function rebuilt<S>(nodes: readonly Safe[], cuts: readonly Cut<S>[], counter: { n: number }): Safe<S>[] {
  return nodes.flatMap((node): Safe<S>[] => {
    if (typeof node !== 'string') return [{ ...node, children: rebuilt(node.children, cuts, counter) } as Safe<S>];
    const n = counter.n++;
    const out: Safe<S>[] = [];
    let done = 0;
    for (const cut of cuts.filter((c) => c.text === n)) {
      if (cut.from > done) out.push(node.slice(done, cut.from));
      out.push({ mark: cut.span, more: cut.more, children: [node.slice(cut.from, cut.to)] });
      done = cut.to;
    }
    if (done < node.length) out.push(node.slice(done));
    return out;
  });
}
