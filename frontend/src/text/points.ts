// Offsets in Unicode code points, as the API counts them, in texts whose
// characters JavaScript counts in UTF-16. Pure.

/** Where spans of a text are, by something that tells them apart. */
export interface Span {
  start: number;
  end: number;
}

/** The position in UTF-16 of each code point, and of the end. */
function positions(text: string): number[] {
  const out: number[] = [];
  let at = 0;
  for (const point of text) {
    out.push(at);
    at += point.length;
  }
  out.push(at);
  return out;
}

/** How many code points a text has. */
export function countOf(text: string): number {
  return positions(text).length - 1;
}

/** Part of a text, with the span that it lies in. */
export interface Piece<S> {
  text: string;
  span: S | null;
}

/**
 * Cuts a text at its spans. Of spans that overlap, the later one keeps what the
 * earlier leaves; one that does not fit into the text is left out.
 */
export function piecesOf<S extends Span>(text: string, spans: readonly S[]): Piece<S>[] {
  if (spans.length === 0) return text === '' ? [] : [{ text, span: null }];
  const at = positions(text);
  const out: Piece<S>[] = [];
  let done = 0;
  const put = (to: number, span: S | null): void => {
    if (to > done) out.push({ text: text.slice(at[done], at[to]), span });
    done = Math.max(done, to);
  };
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (!fits(span, at.length - 1)) continue;
    put(span.start, null);
    put(span.end, span);
  }
  put(at.length - 1, null);
  return out;
}

function fits(span: Span, length: number): boolean {
  return span.start >= 0 && span.end > span.start && span.end <= length;
}

/** The words of a span, "" where it does not fit. */
export function wordsAt(text: string, span: Span): string {
  const at = positions(text);
  return fits(span, at.length - 1) ? text.slice(at[span.start], at[span.end]) : '';
}
