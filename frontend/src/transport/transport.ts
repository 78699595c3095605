// The one seam between the page and its host. Behind it is the loopback server
// (http), the window (its one bound method and its events) or invented data
// (fake). Nothing else of the front end knows which.

import type { Changed, Status } from '../api/types.gen';

/** One question to the API. Values that are undefined or "" are left out. */
export interface Ask {
  method?: 'GET' | 'POST';
  path: string;
  query?: Readonly<Record<string, string | number | undefined>>;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** What the host says by itself. */
export type HostEvent =
  | { name: 'status'; status: Status }
  /** Something of OpenClaw's was read: views that show it ask again. */
  | { name: 'changed'; changed: Changed }
  | { name: 'away'; error: ApiError };

export interface Transport {
  /** Where the page is shown; it decides which words and controls make sense. */
  kind?: 'http' | 'window' | 'fake';
  /** What a window can do beside the API; a browser has its own ways. */
  window?: HostWindow;
  /** Asks and gives the answer's JSON. Throws ApiError, or the signal's reason. */
  request(ask: Ask): Promise<unknown>;
  /** Calls on for every event until the function that it gives is called. */
  events(installation: string, on: (event: HostEvent) => void): () => void;
}

/** What a window can do for its page. */
export interface HostWindow {
  /** Calls on with what was chosen in the menu until the function that it gives is called. */
  onMenu(on: (what: string) => void): () => void;
  /** Calls on when the person closes the window and is to be asked what then. */
  onClosing(on: () => void): () => void;
  close(what: 'background' | 'quit' | 'stay'): Promise<void>;
  /** Lets a person choose a folder of this machine, null where none was chosen. */
  pickFolder(): Promise<string | null>;
  /** Opens a page of the web in the person's browser. */
  open(url: string): Promise<void>;
  /** Lets a person save a text as a file. */
  save(name: string, text: string): Promise<void>;
}

/**
 * An error of the API, or one of the way to it: "away" where nobody answers,
 * "bad-answer" where the answer is none of the API's.
 */
export class ApiError extends Error {
  readonly code: string;
  readonly hint: string;

  constructor(code: string, message: string, hint = '') {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.hint = hint;
  }
}

/** The path of a question with its parameters in a fixed order. */
export function address(ask: Ask): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(ask.query ?? {})) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return text === '' ? ask.path : `${ask.path}?${text}`;
}

/** Says whether a question was given up by whoever asked. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
