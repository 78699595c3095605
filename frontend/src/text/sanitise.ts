// HTML of transcripts, made safe. The server has sanitised it; this does not
// trust that. What comes out is no HTML but a tree of plain data, from which
// SafeHtml.svelte makes elements: nothing of the input ever reaches the page as
// markup or as an attribute.

import { safeAddress } from './address';

/** S is what a mark is of, more says that it goes on from one before; a tree that comes from HTML has no marks. */
export type Safe<S = never> =
  | string
  | { tag: Tag; start?: number; children: Safe<S>[] }
  | { link: string; children: Safe<S>[] }
  | { mark: S; more: boolean; children: Safe<S>[] };

const tags = [
  'p', 'br', 'hr', 'strong', 'em', 'del', 'sup', 'sub', 'code', 'pre', 'blockquote',
  'ul', 'ol', 'li', 'table', 'thead', 'tbody', 'tr', 'th', 'td',
  // A heading of a transcript is no heading of the page: it becomes a bold line.
  'h',
] as const;
export type Tag = (typeof tags)[number];
const known = new Set<string>(tags.filter((t) => t !== 'h'));

/** Other names of the same thing. */
const same = new Map<string, Tag>([
  ['b', 'strong'], ['i', 'em'], ['s', 'del'], ['strike', 'del'], ['tt', 'code'], ['kbd', 'code'], ['samp', 'code'],
  ['h1', 'h'], ['h2', 'h'], ['h3', 'h'], ['h4', 'h'], ['h5', 'h'], ['h6', 'h'],
]);

/** Elements that are dropped with what is in them. All others are unwrapped. */
const dropped = new Set([
  'script', 'style', 'template', 'noscript', 'noembed', 'noframes', 'iframe', 'frame', 'frameset', 'object', 'embed', 'applet',
  'svg', 'math', 'audio', 'video', 'canvas', 'link', 'meta', 'base', 'title', 'head', 'xmp', 'plaintext', 'textarea', 'select', 'input',
]);

/** Deeper than any person nests; below it, only the text is kept. */
const deepest = 40;

/**
 * Gives what is safe of html. imageText says what stands for an image: none is
 * ever loaded.
 */
export function sanitise(html: string, imageText: (alt: string) => string): Safe[] {
  // The parser's document is inert: it runs no script and loads nothing.
  const body = new DOMParser().parseFromString(quiet(html), 'text/html').body;
  return children(body, 0, imageText);
}

/**
 * Renames attributes that hold code or style. They would come to nothing, but
 * browsers report them to the page's policy while they parse. Safety does not
 * rest on this.
 */
function quiet(html: string): string {
  return html.replace(/<[a-z][^>]*>/gi, (tag) =>
    tag.replace(/"[^"]*"|'[^']*'|(?<=[\s/"'])(on[a-z]+|style)(?=\s*=)/gi, (part, name: string | undefined) => (name ? `data-${name}` : part)));
}

function children(of: Node, depth: number, imageText: (alt: string) => string): Safe[] {
  const out: Safe[] = [];
  for (const node of of.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) push(out, node.nodeValue ?? '');
    else if (node.nodeType === Node.ELEMENT_NODE) element(node as Element, depth, imageText, out);
  }
  return out;
}

function element(el: Element, depth: number, imageText: (alt: string) => string, out: Safe[]): void {
  const name = el.localName;
  // Other namespaces have rules of their own, by which text becomes markup.
  if (dropped.has(name) || el.namespaceURI !== 'http://www.w3.org/1999/xhtml') return;
  if (name === 'img') return push(out, imageText((el.getAttribute('alt') ?? '').slice(0, 200)));
  if (depth >= deepest) return push(out, el.textContent ?? '');
  const inside = children(el, depth + 1, imageText);
  if (name === 'a') {
    const link = safeAddress(el.getAttribute('href') ?? '');
    if (link !== null) out.push({ link, children: inside });
    else inside.forEach((c) => push(out, c));
    return;
  }
  const tag = same.get(name) ?? (known.has(name) ? (name as Tag) : null);
  if (tag === null) return inside.forEach((c) => push(out, c));
  const start = tag === 'ol' ? Number.parseInt(el.getAttribute('start') ?? '', 10) : Number.NaN;
  out.push(Number.isSafeInteger(start) ? { tag, start, children: inside } : { tag, children: inside });
}

/** Adds a node; texts beside each other become one. */
function push(out: Safe[], node: Safe): void {
  const last = out.length - 1;
  const before = out[last];
  if (node === '') return;
  if (typeof node === 'string' && typeof before === 'string') out[last] = before + node;
  else out.push(node);
}

/** The text of a tree, for comparing a link's words with its address. */
export function textOf(nodes: readonly Safe<unknown>[]): string {
  return nodes.map((n) => (typeof n === 'string' ? n : textOf(n.children))).join('');
}
