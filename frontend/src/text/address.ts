// Where a link in a transcript may lead. Pure.

/** The schemes that a person may open from a transcript. */
const allowed = new Set(['http:', 'https:', 'mailto:']);

/** Longer ones are none that a person would read before opening them. */
const longest = 2048;

/**
 * The address of a link as it is shown and opened, null where it must not be
 * opened. Letters that look like others are written in their encoded form, and
 * a name and password before the host, which deceive, are refused.
 */
export function safeAddress(href: string): string | null {
  if (href.length > longest) return null;
  let url: URL;
  try {
    url = new URL(href.trim());
  } catch {
    return null; // relative ones lead nowhere from a transcript
  }
  if (!allowed.has(url.protocol) || url.username !== '' || url.password !== '') return null;
  return url.href;
}
