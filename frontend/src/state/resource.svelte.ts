// One answer of the API as a view needs it: loading, failed, there, stale, or
// there with a newer one waiting. What is on screen never moves by itself.

import { untrack } from 'svelte';
import { ApiError, isAbort } from '../transport/transport';
import { live } from './live.svelte';

/** A question: key tells questions apart, ask asks. */
export interface Question<T> {
  key: string;
  ask: (signal: AbortSignal) => Promise<T>;
}

/** Figures that follow by themselves change at most this often, in milliseconds. */
const inPlaceEvery = 500;

/** Grey bars come after this: an answer that comes sooner needs none. */
const patience = 300;

const waiting = $state<{ all: Set<Resource<unknown>>; count: number }>({ all: new Set(), count: 0 });

export class Resource<T> {
  #data = $state.raw<T | undefined>();
  #newer = $state.raw<{ data: T; text: string } | undefined>();
  #error = $state.raw<ApiError | null>(null);
  #slow = $state(false);
  #at = $state.raw<Date | null>(null);
  #question: Question<T> | null = null;
  #text = '';
  /** Data is that of the question before: it stays for as long as patience lasts. */
  #former = false;
  #stop: AbortController | undefined;
  /** What is to be done with the answer that is on its way. */
  #then: 'show' | 'keep' | null = null;
  #soon: ReturnType<typeof setTimeout> | undefined;

  /** The answer, undefined before the first. */
  get data(): T | undefined {
    return this.#data;
  }
  /** Why the last question failed; with data, the data is stale. */
  get error(): ApiError | null {
    return this.#error;
  }
  /** It takes so long that grey bars are due. */
  get slow(): boolean {
    return this.#slow;
  }
  /** When data was read. */
  get at(): Date | null {
    return this.#at;
  }
  get hasNewer(): boolean {
    return this.#newer !== undefined;
  }

  /** Asks, unless the question is the one that was answered last. */
  async start(question: Question<T> | null): Promise<void> {
    if (question?.key === this.#question?.key) return;
    this.#question = question;
    this.#error = null;
    this.#former = this.#data !== undefined;
    this.drop();
    this.#stop?.abort();
    if (question) await this.#load('show');
    else this.#data = undefined;
  }

  /** Asks again and keeps a different answer back until it is wanted. */
  async check(): Promise<void> {
    if (this.#question) await this.#load(this.#data === undefined ? 'show' : 'keep');
  }

  /** Asks again and shows the answer. */
  async reload(): Promise<void> {
    if (this.#question) await this.#load('show');
  }

  /** Asks again and shows the answer, soon: many changes in a row are one question. */
  update(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      void this.reload();
    }, inPlaceEvery);
  }

  /** Shows the newer answer. */
  take(): void {
    if (this.#newer) this.#show(this.#newer.data, this.#newer.text);
  }

  drop(): void {
    this.#newer = undefined;
    if (waiting.all.delete(this as Resource<unknown>)) waiting.count = waiting.all.size;
  }

  close(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    this.drop();
    this.#stop?.abort();
    this.#question = null;
  }

  async #load(then: 'show' | 'keep'): Promise<void> {
    const question = this.#question;
    if (!question) return;
    this.#stop?.abort();
    const stop = (this.#stop = new AbortController());
    // An answer that is waited for is shown, whatever is heard meanwhile.
    if (this.#then === 'show') then = 'show';
    this.#then = then;
    const timer = setTimeout(() => this.#lose(), patience);
    try {
      const data = await question.ask(stop.signal);
      if (stop.signal.aborted) return;
      const text = JSON.stringify(data);
      if (then === 'show') this.#show(data, text);
      else this.#keep(data, text);
    } catch (error) {
      if (stop.signal.aborted || isAbort(error)) return;
      this.#lose();
      this.#error = error instanceof ApiError ? error : new ApiError('bad-answer', String(error));
    } finally {
      clearTimeout(timer);
      if (this.#stop === stop) [this.#slow, this.#then] = [false, null];
    }
  }

  #lose(): void {
    if (this.#former) this.#data = undefined;
    this.#former = false;
    this.#slow = this.#data === undefined;
  }

  #show(data: T, text: string): void {
    this.drop();
    this.#former = false;
    this.#error = null;
    this.#at = new Date();
    // The same text keeps the same objects, so that nothing is drawn anew.
    if (text !== this.#text || this.#data === undefined) this.#data = data;
    this.#text = text;
  }

  #keep(data: T, text: string): void {
    this.#error = null;
    if (text === this.#text) {
      this.drop();
      this.#at = new Date();
      return;
    }
    this.#newer = { data, text };
    waiting.all.add(this as Resource<unknown>);
    waiting.count = waiting.all.size;
  }
}

/** How many answers have a newer one waiting. */
export function newer(): number {
  return waiting.count;
}

/** Shows everything newer at once, so that the figures agree. */
export function takeNewer(): void {
  for (const r of waiting.all) r.take();
}

/**
 * A resource for a component: it asks when the question changes, and again
 * when OpenClaw's files were read again. In place, figures follow by themselves;
 * the view then keeps its rows where they are. Call it while the component is
 * made.
 */
export function useResource<T>(question: () => Question<T> | null, how: { inPlace?: boolean } = {}): Resource<T> {
  const resource = new Resource<T>();
  let { forced, looks } = live;
  $effect(() => {
    const q = question();
    untrack(() => void resource.start(q));
  });
  $effect(() => {
    const reload = live.forced !== forced;
    const check = live.looks !== looks;
    ({ forced, looks } = live);
    if (reload) untrack(() => void resource.reload());
    else if (check && how.inPlace) resource.update();
    else if (check) untrack(() => void resource.check());
  });
  $effect(() => () => resource.close());
  return resource;
}
