// One short message at the bottom left, with a way back. Errors are none.

/** How long it stays where nobody points at it, in milliseconds. */
export const toastStays = 6000;

export interface Toast {
  text: string;
  undo: () => void;
}

let shown = $state.raw<Toast | null>(null);

export function toastShown(): Toast | null {
  return shown;
}

/** Shows a message in the place of the one before. */
export function toast(text: string, undo: () => void): void {
  shown = { text, undo };
}

export function dropToast(): void {
  shown = null;
}
