// Keys of the whole page. A component says what it does with an action; the
// one that was made last is asked first.

import { keyMachine, type Action } from './keys';

type Name = Action['name'];
/** Returns true where it did something, so that no other is asked. */
export type Handlers = Partial<Record<Exclude<Name, 'go'>, () => boolean>> & { go?: (view: Extract<Action, { name: 'go' }>['view']) => boolean };

const stack: Handlers[] = [];

/** Listens to the keyboard until the function that it gives is called. */
export function startShortcuts(): () => void {
  const feed = keyMachine();
  const on = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
    const { key, ctrlKey, metaKey, altKey, isComposing, timeStamp } = event;
    const action = feed({ key, ctrlKey, metaKey, altKey, isComposing, inField: inField(event.target), at: timeStamp });
    if (action && run(action)) event.preventDefault();
  };
  document.addEventListener('keydown', on);
  return () => document.removeEventListener('keydown', on);
}

function inField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

function run(action: Action): boolean {
  for (const handlers of stack.toReversed()) {
    if (action.name === 'go' ? handlers.go?.(action.view) : handlers[action.name]?.()) return true;
  }
  return false;
}

/** What a component does with keys while it lives. Call it while it is made. */
export function useShortcuts(handlers: Handlers): void {
  $effect(() => {
    stack.push(handlers);
    return () => void stack.splice(stack.indexOf(handlers), 1);
  });
}
