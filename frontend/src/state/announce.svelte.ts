// What a screen reader is told beside what it reads: one polite line.

let text = $state('');

export function announced(): string {
  return text;
}

/** Says something once it is quiet. The same text twice is said twice. */
export function announce(what: string): void {
  text = text === what ? what + '\u00a0' : what;
}
