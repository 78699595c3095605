// Written by build/types from types*.go. Do not edit: run "go run ./build/types".
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
  /**
   * Of what a person said: who that was and where, as far as the text tells,
   * and what OpenClaw put before the words. "" where there is nothing.
   */
  speaker: string;
  channel: string;
  chat: string;
  before: string;
  path: string;
  line: number;
  tokens: Tokens | null;
  /** null: not known */
  usd: number | null;
  /** recorded, own, table, local, none, unknown; "" where no model was called */
  price: string;
  model: string;
  /** Statements are what was kept of it, in order; empty where there is none. */
  statements: StatementSpan[];
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
  /** an invented installation is shown */
  demo: boolean;
  /**
   * Busy says that sources are being read; what is shown is what was read
   * before, and never less.
   */
  busy: boolean;
  /**
   * Job is what takes long enough to be shown: "reading" (the first look, or
   * one that found much), "rebuild", "" for none.
   */
  job: string;
  /** by the person; Job says what */
  paused: boolean;
  agent: string;
  sources: number;
  sourcesDone: number;
  /** bytes */
  done: number;
  /** bytes */
  total: number;
  /** bytes a second, 0 where not known yet */
  rate: number;
  /** null where not known yet */
  secondsLeft: number | null;
  updatedAt: string | null;
  /** when OpenClaw last wrote something that was read */
  changedAt: string | null;
  /** "events", or "polling" where the system gives no events */
  watching: string;
  /** why the last look failed, "" if it did not */
  error: string;
  /**
   * LedgerError says why what people state cannot be written to the ledger, ""
   * where it can; LedgerWaiting statements are held meanwhile.
   */
  ledgerError: string;
  ledgerWaiting: number;
}

/** Changed says that something was read, and of whom. */
export interface Changed {
  installation: string;
  /** grows by one with each of them */
  revision: number;
  /** what anything was read of */
  sessions: SessionRef[];
  /** anything may have changed */
  all: boolean;
}

/** SessionRef names a session. */
export interface SessionRef {
  agent: string;
  sessionId: string;
}

/**
 * Event is what the owner process says by itself: in a stream of server-sent
 * events (GET /api/events), or as an event of the window. Name is "status" or
 * "changed" and says which of the others is set.
 */
export interface Event {
  name: string;
  status?: Status | null;
  changed?: Changed | null;
}

/**
 * Tide is the course of a session's context: one point per call, in the order
 * of time, in columns of the same length. A call of which no usage was reported
 * has -1 in the columns of tokens. Times are milliseconds since 1970.
 */
export interface Tide {
  at: number[];
  input: number[];
  cacheRead: number[];
  cacheWrite: number[];
  output: number[];
  /** null: not known */
  usd: (number | null)[];
  background: boolean[];
  entry: string[];
  falls: TideFall[];
  window: number | null;
  /** WindowSource is session, config, num_ctx, table; "" where it is not known. */
  windowSource: string;
  /**
   * Threshold is the level at which this OpenClaw compacts; null where that
   * cannot be told.
   */
  threshold: number | null;
  /** Used is what is in the context now; null where not known. */
  used: number | null;
  /** Statements are what was kept of what people said in it, by time. */
  statements: TideStatement[];
}

/** TideFall is a place where the context was cut. */
export interface TideFall {
  at: number;
  /** compaction, reset */
  kind: string;
  entry: string;
  /** tokens; null where not recorded */
  before: number | null;
  after: number | null;
  /** another one took its place */
  superseded: boolean;
  /** of a reset, as OpenClaw names it; "" where not known */
  reason: string;
  /**
   * Call is the position of the first call behind it, the number of calls
   * where there is none.
   */
  call: number;
}

/** Today is what happened in a span of time, by agent. */
export interface Today {
  zone: string;
  agents: TodayAgent[];
  /** in the span */
  spend: CostTotal;
  /** in this month, of the person's zone */
  month: CostTotal;
  /**
   * MonthPace is what the month costs if it goes on like this; null in its
   * first two days.
   */
  monthPace: number | null;
  /** US dollars, 0: none was set */
  dailyBudget: number;
  needs: Need[];
}

/** TodayAgent is one agent in a span of time. */
export interface TodayAgent {
  id: string;
  name: string;
  model: string;
  /** the model runs on this machine */
  local: boolean;
  /** of the last message, whenever it was */
  lastAt: string | null;
  lastRole: string;
  /** its first line; masked and untrusted */
  lastText: string;
  lastSession: string;
  /** of the session that was last used */
  contextUsed: number | null;
  contextWindow: number | null;
  threshold: number | null;
  /** used in the span */
  sessions: number;
  messages: number;
  calls: number;
  compactions: number;
  resets: number;
  usd: number;
  backgroundUsd: number;
  unpricedCalls: number;
  /** of LastSession in the span, at most some hundred points */
  tide: Tide;
}

/** Need is something that a person should look at. */
export interface Need {
  /** full (a context nears its threshold), compaction (without a summary), problem */
  kind: string;
  agent: string;
  sessionId: string;
  entryId: string;
  /** of a problem */
  code: string;
  count: number;
  used: number | null;
  limit: number | null;
  at: string | null;
}

/** CompactionDetail is one compaction with all that is known of it. */
export interface CompactionDetail extends Compaction {
  /** of its session */
  title: string;
  /**
   * Why is threshold, overflow, manual, or unknown; WhyFrom says how that is
   * known: recorded, told from the numbers, or nothing.
   */
  why: string;
  /** recorded, inferred, "" */
  whyFrom: string;
  window: number | null;
  threshold: number | null;
  /** of the last call before it */
  lastCallAt: string | null;
  /** what left the context, in order; long texts cut */
  left: Entry[];
  leftTotal: number;
  /** estimate */
  leftTokens: number;
  /** messages that stayed */
  keptTotal: number;
  noSummary: boolean;
  /** Flush says whether OpenClaw's memory flush ran before it: ran, not, unknown. */
  flush: string;
  /** written by an extension of OpenClaw */
  fromHook: boolean;
  /** entry of the compaction before in this session */
  previous: string;
  next: string;
}

/** Settings are the person's choices, and what they lead to. */
export interface Settings {
  /** en, zh; "": that of the system */
  language: string;
  /** light, dark; "": that of the system */
  theme: string;
  /** roomy; "": compact */
  density: string;
  /** IANA name; "": as OpenClaw or the system has it */
  timezone: string;
  /** US dollars, 0: none */
  dailyBudget: number;
  /** background, quit; "": ask */
  closing: string;
  /** "": as OpenClaw finds it */
  stateDir: string;
  /** Zone is the zone that days are counted in now. */
  zone: string;
  /** what of the file could not be used */
  notices: string[];
}

/** Found is the place of an entry in its session. */
export interface Found {
  /** -1: not there */
  position: number;
  total: number;
}

/** Link opens the pages in a browser, once. */
export interface Link {
  url: string;
}

/**
 * StatementRow is a statement as `tidemark statements list --json` prints it.
 * Text is masked and untrusted.
 */
export interface StatementRow {
  id: string;
  /** W, B, O */
  tag: string;
  text: string;
  /** that was told first */
  agent: string;
  /** agent, all, contact */
  scope: string;
  /** owner, contact, unknown */
  speaker: string;
  at: string | null;
  /** null: until further notice */
  until: string | null;
  sessionId: string;
  entryId: string;
  rule: string;
  /** live, superseded, expired, forgotten */
  state: string;
  /** how often it had to be said again */
  repeats: number;
}

/** Statement is a statement on screen. */
export interface Statement extends StatementRow {
  pinned: boolean;
  /** a person changed its words */
  edited: boolean;
  /** a person wrote it into the ledger */
  byHand: boolean;
  speakerName: string;
  channel: string;
  chat: string;
  /** id of the statement that replaced it, "" */
  by: string;
  /** when it was said last */
  lastAt: string | null;
  /** BCP 47 of the words where it can be told, "" */
  lang: string;
}

/** StatementList is what is known, the newest first, and what of it is shown. */
export interface StatementList {
  statements: Statement[];
  /** before the filters */
  total: number;
  /** of what the filters leave */
  counts: StatementCounts;
  /**
   * Waiting are statements that could not be written to the ledger yet and
   * are held meanwhile; LedgerError says why, "" where there are none.
   */
  waiting: number;
  ledgerError: string;
}

/** StatementCounts are numbers of statements. */
export interface StatementCounts {
  wants: number;
  boundaries: number;
  details: number;
  live: number;
  superseded: number;
  expired: number;
  pinned: number;
  /** said more than once */
  repeated: number;
}

/** StatementDetail is one statement with all that is known of it. */
export interface StatementDetail {
  statement: Statement;
  /** Said are the times it was said, the first one first. */
  said: StatementOccasion[];
  /** History is what happened to it, oldest first. */
  history: StatementEvent[];
  /**
   * Replaces are the statements that it replaced; ReplacedBy the one that
   * replaced it, null where there is none.
   */
  replaces: Statement[];
  replacedBy: Statement | null;
  /** file that holds it */
  ledgerPath: string;
  /** Undo is the id of the last decision about it that can be taken back, "". */
  undo: string;
}

/**
 * StatementOccasion is one time that a statement was said, with the words
 * around it.
 */
export interface StatementOccasion {
  agent: string;
  sessionId: string;
  entryId: string;
  at: string | null;
  text: string;
  /**
   * Message is what was said as a whole, long ones cut, with the statement at
   * Start to End, in Unicode code points; "" where nothing is left of it.
   */
  message: string;
  start: number;
  end: number;
  speakerName: string;
  channel: string;
  chat: string;
  /** the conversation that holds it can be opened */
  shown: boolean;
}

/** StatementEvent is a line of the ledger about a statement. */
export interface StatementEvent {
  id: string;
  at: string | null;
  /** statement, repeat, pin, unpin, correct, scope, supersede, forget, undo */
  kind: string;
  text: string;
  scope: string;
  by: string;
  undone: boolean;
}

/**
 * StatementChange is what a person decides about a statement. Do is pin, unpin,
 * correct (Text, and Tag where it changes), scope (Scope), supersede (By),
 * forget, or undo (the last decision that can be taken back).
 */
export interface StatementChange {
  id: string;
  do: string;
  text: string;
  tag: string;
  scope: string;
  by: string;
}

/**
 * StatementSpan is a statement within the text of an entry, at Start to End in
 * Unicode code points.
 */
export interface StatementSpan {
  id: string;
  tag: string;
  state: string;
  start: number;
  end: number;
}

/** TideStatement is a statement on a tide. Times are milliseconds since 1970. */
export interface TideStatement {
  id: string;
  at: number;
  tag: string;
  state: string;
  text: string;
  entry: string;
  /** position of the first call behind it, as in TideFall */
  call: number;
}
