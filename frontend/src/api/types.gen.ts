// Written by build/types from types.go. Do not edit: run "go run ./build/types".
/* eslint-disable */

/**
 * Tokens are counts by kind. Input excludes cached tokens: the prompt that was
 * sent is input, cacheRead and cacheWrite together.
 */
export interface Tokens {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** Scan is what an installation holds, and what of it could not be read. */
export interface Scan {
  agents: ScanAgent[];
  sessions: number;
  messages: number;
  userMessages: number;
  compactions: number;
  tokens: Tokens;
  cost: ScanCost;
  problems: Problem[];
  elapsedMs: number;
}

/**
 * ScanAgent is one agent of a scan. Eras are the ways in which its history is
 * stored: "jsonl", "sqlite".
 */
export interface ScanAgent {
  id: string;
  workspace: string;
  eras: string[];
  sessions: number;
}

/** ScanCost is what priced calls cost, and how many calls have no known price. */
export interface ScanCost {
  usd: number;
  unpricedCalls: number;
}

/** Problem is something that could not be read or that needs attention. */
export interface Problem {
  code: string;
  path: string;
  line: number;
  count: number;
  message: string;
  hint: string;
}

/** SessionRow is a session as `tidemark sessions --json` prints it. */
export interface SessionRow {
  agent: string;
  sessionId: string;
  sessionKey: string;
  startedAt: string | null;
  updatedAt: string | null;
  messages: number;
  contextUsed: number | null;
  contextWindow: number | null;
  compactions: number;
  archived: boolean;
  gone: boolean;
  parent: string | null;
  sources: string[];
}

/** Session is a row of the list of sessions on screen. */
export interface Session extends SessionRow {
  title: string;
  model: string;
  channel: string;
  /** session, config, num_ctx, table; "" where the window is not known */
  windowSource: string;
  userMessages: number;
  calls: number;
  tokens: Tokens;
  usd: number;
  unpricedCalls: number;
  background: boolean;
  eras: string[];
}

/** SessionDetail is one session with its conversation. */
export interface SessionDetail {
  session: Session;
  entries: Entry[];
  /**
   * Total is the number of entries there are; From the position of the first
   * one in Entries.
   */
  total: number;
  from: number;
}

/** Entry is one entry of a conversation. Text is masked and untrusted. */
export interface Entry {
  id: string;
  kind: string;
  type: string;
  role: string;
  at: string | null;
  text: string;
  /** Text as sanitised HTML; "" where it is to be shown as it is */
  html: string;
  tool: string;
  isError: boolean;
  stopReason: string;
  images: number;
  imageBytes: number;
  /** estimate */
  textTokens: number;
  /** on the visible branch */
  onPath: boolean;
  /** the agent still sees it */
  inContext: boolean;
  background: boolean;
  path: string;
  line: number;
  tokens: Tokens | null;
  /** null: not known */
  usd: number | null;
  /** recorded, own, table, local, none, unknown; "" where no model was called */
  price: string;
  model: string;
}

/** CostRow is the sum of the calls that have a key in common. */
export interface CostRow {
  key: string;
  calls: number;
  tokens: Tokens;
  usd: number;
  unpricedCalls: number;
  backgroundUsd: number;
}

/** CostTotal is the sum of all rows. */
export interface CostTotal {
  calls: number;
  tokens: Tokens;
  usd: number;
  unpricedCalls: number;
  backgroundUsd: number;
}

/** Costs is what `tidemark costs --json` prints. */
export interface Costs {
  rows: CostRow[];
  total: CostTotal;
}

/** CostView is Costs with what the page says beside it. */
export interface CostView extends Costs {
  by: string;
  zone: string;
  /** part of the total priced by the embedded table */
  estimatedUsd: number;
  /** calls of which no usage was reported */
  unreportedCalls: number;
  /** name and date of the embedded table */
  priceTable: string;
}

/**
 * CompactionRow is a compaction as `tidemark compactions --json` prints it.
 * Summary is masked and untrusted. Token counts are null where OpenClaw
 * recorded none.
 */
export interface CompactionRow {
  agent: string;
  sessionId: string;
  entryId: string;
  at: string | null;
  tokensBefore: number | null;
  tokensAfter: number | null;
  summary: string;
  superseded: boolean;
  droppedMessages: number;
}

/** Compaction is one compaction on screen. */
export interface Compaction extends CompactionRow {
  /** Summary as sanitised HTML; "" where it is to be shown as it is */
  html: string;
}

/** Installation is one state directory of OpenClaw. */
export interface Installation {
  id: string;
  stateDir: string;
  profile: string;
  legacy: boolean;
  default: boolean;
}

/** Agent is one agent on screen. */
export interface Agent {
  id: string;
  name: string;
  workspace: string;
  sharedWith: string[];
  configured: boolean;
  eras: string[];
  sessions: number;
  messages: number;
  compactions: number;
  usd: number;
  unpricedCalls: number;
  updatedAt: string | null;
}

/** Status says what the owner process is doing. */
export interface Status {
  version: string;
  stateDir: string;
  dataDir: string;
  zone: string;
  /**
   * Busy says that sources are being read; what is shown is what was read
   * before, and never less.
   */
  busy: boolean;
  agent: string;
  /** bytes */
  done: number;
  /** bytes */
  total: number;
  updatedAt: string | null;
  /** why the last look failed, "" if it did not */
  error: string;
}

/** Link opens the pages in a browser, once. */
export interface Link {
  url: string;
}
