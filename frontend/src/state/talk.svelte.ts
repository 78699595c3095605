// One session's conversation, held in stretches: those near the screen are
// asked for, those far from it are let go of, and the newest follows what
// OpenClaw writes.

import { session as ask } from '../api/sessions';
import type { Changed, Entry, Session } from '../api/types.gen';
import { stretch, stretchesOf, surplus, type Span } from '../conversation/window';
import { ApiError, isAbort } from '../transport/transport';

export interface Who {
  installation: string;
  agent: string;
  session: string;
}

/** Grey bars come after this, in milliseconds. */
const patience = 300;
/** Questions on their way at once; a fast scroll leaves the others unasked. */
const atOnce = 2;

/** What Loadable shows the states of. */
export class Talk {
  #who: Who;
  #held = new Map<number, Entry[]>();
  #asked = new Map<number, AbortController>();
  #failed = new Set<number>();
  #wanted: Span = { from: 0, to: 0 };
  #session = $state.raw<Session | undefined>();
  #total = $state(0);
  #error = $state.raw<ApiError | null>(null);
  #slow = $state(false);
  #at = $state.raw<Date | null>(null);
  #version = $state(0);
  #closed = false;
  #again = false;

  constructor(who: Who) {
    this.#who = who;
    void this.reload();
  }

  /** The session once it is known. */
  get data(): Session | undefined {
    return this.#session;
  }
  get total(): number {
    return this.#total;
  }
  get error(): ApiError | null {
    return this.#error;
  }
  get slow(): boolean {
    return this.#slow;
  }
  get at(): Date | null {
    return this.#at;
  }
  /** Grows when entries come or go. */
  get version(): number {
    return this.#version;
  }

  entryAt(index: number): Entry | undefined {
    return this.#held.get(Math.floor(index / stretch))?.[index % stretch];
  }

  /** An entry of those that are held. */
  byId(id: string): Entry | undefined {
    for (const entries of this.#held.values()) {
      const found = entries.find((e) => e.id === id);
      if (found) return found;
    }
    return undefined;
  }

  /** Says which entries are near the screen: what is missing of them is asked for. */
  want(span: Span): void {
    this.#wanted = span;
    this.#askNext();
  }

  /** Asks for the newest entries, without waiting for others. */
  async reload(): Promise<void> {
    this.#failed.clear();
    const timer = setTimeout(() => (this.#slow = this.#session === undefined), patience);
    await this.#load(this.#session === undefined ? -1 : Math.floor(Math.max(0, this.#total - 1) / stretch));
    clearTimeout(timer);
    this.#slow = false;
    if (this.#session) this.#askNext();
  }

  /** Asks again for all that is held: something about it was decided. */
  async renew(): Promise<void> {
    const held = [...this.#held.keys()];
    for (const nth of held) if (!this.#closed) await this.#load(nth);
  }

  /** Something was read: if it was of this session, its end is asked for at once. */
  heard(changed: Changed): void {
    const mine = changed.sessions.some((s) => s.agent === this.#who.agent && s.sessionId === this.#who.session);
    if (mine || changed.all) void this.#follow();
  }

  /** Follows the end; changes that are heard meanwhile are one more question. */
  async #follow(): Promise<void> {
    if (this.#again) return;
    this.#again = this.#asked.has(this.#tail());
    if (this.#again) await new Promise<void>((done) => this.#asked.get(this.#tail())?.signal.addEventListener('abort', () => done()));
    this.#again = false;
    if (!this.#closed) await this.reload();
  }

  #tail(): number {
    return Math.floor(Math.max(0, this.#total - 1) / stretch);
  }

  close(): void {
    this.#closed = true;
    for (const stop of this.#asked.values()) stop.abort();
  }

  #askNext(): void {
    if (this.#session === undefined) return;
    const wanted = stretchesOf({ from: this.#wanted.from, to: Math.min(this.#wanted.to, this.#total) });
    for (const nth of wanted) {
      if (this.#asked.size >= atOnce) return;
      if (!this.#held.has(nth) && !this.#asked.has(nth) && !this.#failed.has(nth)) void this.#load(nth).then(() => this.#askNext());
    }
  }

  /** Asks for a stretch; -1 is the newest, before the total is known. */
  async #load(nth: number): Promise<void> {
    const stop = new AbortController();
    this.#asked.set(nth, stop);
    try {
      const part = await ask({ ...this.#who, offset: nth < 0 ? -stretch : nth * stretch, limit: stretch }, stop.signal);
      if (!this.#closed) this.#take(nth, part.entries, part.total, part.session);
    } catch (error) {
      if (this.#closed || isAbort(error)) return;
      this.#failed.add(nth);
      this.#error = error instanceof ApiError ? error : new ApiError('bad-answer', String(error));
    } finally {
      this.#asked.delete(nth);
      stop.abort(); // whoever waits for the end of this question goes on
    }
  }

  #take(nth: number, entries: Entry[], total: number, session: Session): void {
    this.#error = null;
    this.#at = new Date();
    this.#session = session;
    if (nth >= 0) this.#refresh(nth, entries, total);
    else this.#takeNewest(entries, total);
    this.#total = total;
    for (const far of surplus([...this.#held.keys()], this.#wanted)) if (far !== nth) this.#held.delete(far);
    this.#version++;
  }

  /** The newest entries lie across a border: the whole stretches of them are held. */
  #takeNewest(entries: Entry[], total: number): void {
    const from = total - entries.length;
    const first = Math.ceil(from / stretch);
    for (let nth = first; nth * stretch < total; nth++) this.#held.set(nth, entries.slice(nth * stretch - from, (nth + 1) * stretch - from));
  }

  /**
   * Holds a stretch. Where it tells of more than entries behind the last, such
   * as another branch or a compaction, what is held of the others is old.
   */
  #refresh(nth: number, entries: Entry[], total: number): void {
    const before = this.#held.get(nth);
    this.#held.set(nth, entries);
    const moved = total < this.#total || (before?.some((e, i) => e.id !== entries[i]?.id || e.onPath !== entries[i].onPath || e.inContext !== entries[i].inContext) ?? false);
    if (!moved) return;
    for (const other of this.#held.keys()) if (other !== nth) this.#held.delete(other);
  }
}
