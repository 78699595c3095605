// What a person decides about statements: one at a time, with a way back. A
// decision that fails changes nothing on screen, and is said.

import { decide as ask, type Decision } from '../api/statements';
import type { StatementDetail } from '../api/types.gen';
import { t } from '../i18n/index.svelte';
import { ApiError } from '../transport/transport';
import { announce } from './announce.svelte';
import { route } from './router.svelte';
import { toast } from './toast.svelte';

/** What can be taken back. */
const undoable = new Set(['pin', 'unpin', 'correct', 'scope']);

export class Decider {
  #busy = $state('');
  #failed = $state.raw<{ id: string; error: ApiError } | null>(null);
  #after = new Set<() => Promise<unknown>>();
  /** The statement whose words are being corrected, "" for none. */
  editing = $state('');

  /** What is being done now, "" for nothing. */
  get busy(): string {
    return this.#busy;
  }
  /** Why the last decision was not taken, and about what. */
  get failed(): { id: string; error: ApiError } | null {
    return this.#failed;
  }

  /** Has what shows statements ask again after each decision, until the function that it gives is called. */
  also(fn: () => Promise<unknown>): () => void {
    this.#after.add(fn);
    return () => void this.#after.delete(fn);
  }

  drop(): void {
    this.#failed = null;
  }

  /** Takes a decision. Gives the statement as it is then, null where it was not taken. */
  async take(decision: Decision): Promise<StatementDetail | null> {
    if (this.#busy !== '') return null;
    const { installation } = route();
    this.#busy = decision.do;
    this.#failed = null;
    try {
      const detail = await ask(installation, decision);
      await Promise.all([...this.#after].map((fn) => fn()));
      this.#tell(decision);
      return detail;
    } catch (error) {
      this.#failed = { id: decision.id, error: error instanceof ApiError ? error : new ApiError('bad-answer', String(error)) };
      return null;
    } finally {
      this.#busy = '';
    }
  }

  #tell(decision: Decision): void {
    const whom = decision.do === 'scope' ? t(decision.scope === 'all' ? 'statement.scope.all' : 'statement.scope.agent') : '';
    const text = t(`statement.done.${decision.do}`, { whom });
    if (undoable.has(decision.do)) toast(text, () => void this.take({ id: decision.id, do: 'undo' }));
    else announce(text);
  }
}

/** A decider for a component, which asks again with it. Call it while the component is made. */
export function useDecider(reload: () => Promise<unknown>): Decider {
  const decider = new Decider();
  $effect(() => decider.also(reload));
  return decider;
}
