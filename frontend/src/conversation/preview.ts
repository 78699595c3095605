// The one line that stands for a tool result. Pure.

/** Longer ones do not fit on any line. */
const longest = 160;

/** The beginning of a text on one line: white space becomes single spaces. */
export function preview(text: string): string {
  const line = text.slice(0, longest * 4).replace(/\s+/g, ' ').trim();
  if (line.length <= longest) return line;
  // Not in the middle of a pair of code units.
  return Array.from(line.slice(0, longest)).slice(0, -1).join('').trimEnd() + '…';
}
