-- The index of Tidemark: a cache of what OpenClaw's files and the ledger say.
-- It can be deleted at any time; `tidemark rebuild` makes it anew.
-- Times are milliseconds since 1970 in UTC, 0 or NULL where not known; money
-- is in units of 1e-9 US dollar; kinds and roles are numbered as in package memory.

CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE installation(
  id        INTEGER PRIMARY KEY,
  name      TEXT NOT NULL UNIQUE,
  state_dir TEXT NOT NULL
);

CREATE TABLE agent(
  id           INTEGER PRIMARY KEY,
  installation INTEGER NOT NULL REFERENCES installation(id),
  name         TEXT NOT NULL,
  title        TEXT NOT NULL DEFAULT '',
  workspace    TEXT NOT NULL DEFAULT '',
  shared       TEXT NOT NULL DEFAULT '',
  configured   INTEGER NOT NULL DEFAULT 0,
  present      INTEGER NOT NULL DEFAULT 1,
  UNIQUE(installation, name)
);

CREATE TABLE session(
  id            INTEGER PRIMARY KEY,
  agent         INTEGER NOT NULL REFERENCES agent(id),
  sid           TEXT NOT NULL,
  header_at     INTEGER NOT NULL DEFAULT 0, -- of its earliest header
  header_last   INTEGER NOT NULL DEFAULT 0, -- of its latest one
  header_parent TEXT NOT NULL DEFAULT '',
  version       INTEGER NOT NULL DEFAULT 0,
  cwd           TEXT NOT NULL DEFAULT '',
  root          TEXT NOT NULL DEFAULT '', -- session that Call.Once was computed for, '' itself
  kin           TEXT NOT NULL DEFAULT '', -- session that calls in it were copied from, where no header says so
  key           TEXT NOT NULL DEFAULT '',
  background    INTEGER NOT NULL DEFAULT 0,
  current       INTEGER NOT NULL DEFAULT 0,
  leaf          TEXT NOT NULL DEFAULT '',
  previous      TEXT NOT NULL DEFAULT '',
  notes         TEXT NOT NULL DEFAULT '{}', -- memory.SessionMeta
  title         TEXT NOT NULL DEFAULT '',   -- what a person said first
  -- What follows are sums over entries, calls and what is carried.
  started       INTEGER NOT NULL DEFAULT 0,
  updated       INTEGER NOT NULL DEFAULT 0,
  entries       INTEGER NOT NULL DEFAULT 0,
  messages      INTEGER NOT NULL DEFAULT 0,
  user_messages INTEGER NOT NULL DEFAULT 0,
  compactions   INTEGER NOT NULL DEFAULT 0,
  calls         INTEGER NOT NULL DEFAULT 0,
  unreported    INTEGER NOT NULL DEFAULT 0,
  input         INTEGER NOT NULL DEFAULT 0,
  output        INTEGER NOT NULL DEFAULT 0,
  cache_read    INTEGER NOT NULL DEFAULT 0,
  cache_write   INTEGER NOT NULL DEFAULT 0,
  cost          INTEGER NOT NULL DEFAULT 0,
  unpriced      INTEGER NOT NULL DEFAULT 0,
  context_used  INTEGER,
  context_at    INTEGER NOT NULL DEFAULT 0,
  provider      TEXT NOT NULL DEFAULT '',
  model         TEXT NOT NULL DEFAULT '',
  model_at      INTEGER NOT NULL DEFAULT 0,
  UNIQUE(agent, sid)
);

CREATE TABLE origin( -- what tells a session whatever its id: a header and the first entry behind it
  session     INTEGER NOT NULL REFERENCES session(id),
  header_at   INTEGER NOT NULL,
  first_entry TEXT NOT NULL,
  in_database INTEGER NOT NULL,
  PRIMARY KEY(session, header_at, first_entry)
) WITHOUT ROWID;

CREATE TABLE alias( -- ids that an upgrade of OpenClaw replaced
  agent INTEGER NOT NULL REFERENCES agent(id),
  was   TEXT NOT NULL,
  sid   TEXT NOT NULL,
  PRIMARY KEY(agent, was)
) WITHOUT ROWID;

CREATE TABLE lineage( -- what sessions that are gone continued, as the ledger says
  agent  INTEGER NOT NULL REFERENCES agent(id),
  sid    TEXT NOT NULL,
  parent TEXT NOT NULL,
  PRIMARY KEY(agent, sid)
) WITHOUT ROWID;

CREATE TABLE source(
  id      INTEGER PRIMARY KEY,
  agent   INTEGER NOT NULL REFERENCES agent(id),
  path    TEXT NOT NULL,
  kind    INTEGER NOT NULL,
  size    INTEGER NOT NULL DEFAULT 0,
  mtime   INTEGER NOT NULL DEFAULT 0,
  inode   INTEGER NOT NULL DEFAULT 0,
  wal     INTEGER NOT NULL DEFAULT 0,
  wal_at  INTEGER NOT NULL DEFAULT 0,
  offset  INTEGER NOT NULL DEFAULT 0,
  line    INTEGER NOT NULL DEFAULT 0,
  sum     INTEGER NOT NULL DEFAULT 0,
  session TEXT NOT NULL DEFAULT '',
  prompt  INTEGER NOT NULL DEFAULT 0,
  gone    INTEGER NOT NULL DEFAULT 0, -- when it was found to be gone
  UNIQUE(agent, path)
);

CREATE TABLE mark(
  source     INTEGER NOT NULL REFERENCES source(id),
  session    TEXT NOT NULL,
  seq        INTEGER NOT NULL,
  count      INTEGER NOT NULL,
  generation TEXT NOT NULL,
  prompt     INTEGER NOT NULL,
  PRIMARY KEY(source, session)
) WITHOUT ROWID;

CREATE TABLE session_source(
  session INTEGER NOT NULL REFERENCES session(id),
  source  INTEGER NOT NULL REFERENCES source(id),
  kind    INTEGER NOT NULL,
  PRIMARY KEY(session, source, kind)
) WITHOUT ROWID;

CREATE TABLE entry(
  id      INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  hash    INTEGER NOT NULL, -- of eid
  eid     TEXT NOT NULL,
  parent  TEXT,             -- NULL where none is named
  kind    INTEGER NOT NULL,
  role    INTEGER NOT NULL,
  flags   INTEGER NOT NULL,
  at      INTEGER NOT NULL,
  source  INTEGER NOT NULL,
  line    INTEGER NOT NULL,
  offset  INTEGER NOT NULL,
  tokens  INTEGER NOT NULL, -- estimate from the text
  text    BLOB,             -- masked; compressed where flags say so
  more    TEXT              -- JSON of what few entries have
);
CREATE UNIQUE INDEX entry_once ON entry(session, hash);

CREATE TABLE mirror(
  session INTEGER NOT NULL,
  name    TEXT NOT NULL,
  hash    INTEGER NOT NULL,
  PRIMARY KEY(session, name)
) WITHOUT ROWID;

CREATE TABLE model(
  id       INTEGER PRIMARY KEY,
  provider TEXT NOT NULL,
  name     TEXT NOT NULL,
  UNIQUE(provider, name)
);

CREATE TABLE call(
  entry       INTEGER PRIMARY KEY,
  session     INTEGER NOT NULL,
  once        INTEGER NOT NULL,
  copy        INTEGER NOT NULL, -- 1: the call counts in another session
  at          INTEGER NOT NULL,
  model       INTEGER NOT NULL,
  flags       INTEGER NOT NULL,
  input       INTEGER NOT NULL,
  output      INTEGER NOT NULL,
  cache_read  INTEGER NOT NULL,
  cache_write INTEGER NOT NULL,
  hour        INTEGER NOT NULL,
  cost        INTEGER NOT NULL,
  price       INTEGER NOT NULL
);
CREATE UNIQUE INDEX call_once ON call(once) WHERE copy = 0;
CREATE INDEX call_copies ON call(once) WHERE copy = 1;
CREATE INDEX call_session ON call(session);

CREATE TABLE compaction(
  entry         INTEGER PRIMARY KEY,
  session       INTEGER NOT NULL,
  at            INTEGER NOT NULL,
  tokens_before INTEGER NOT NULL,
  tokens_after  INTEGER NOT NULL,
  from_hook     INTEGER NOT NULL,
  summary       TEXT NOT NULL
);
CREATE INDEX compaction_session ON compaction(session);

-- What only the ledger still knows. The three tables are set as a whole, for
-- each agent, from what the ledger has more than OpenClaw's files.

CREATE TABLE carried(
  session     INTEGER NOT NULL REFERENCES session(id),
  model       INTEGER NOT NULL,
  at          INTEGER NOT NULL, -- first call of the day
  last        INTEGER NOT NULL, -- last call of the day
  calls       INTEGER NOT NULL,
  unpriced    INTEGER NOT NULL,
  input       INTEGER NOT NULL,
  output      INTEGER NOT NULL,
  cache_read  INTEGER NOT NULL,
  cache_write INTEGER NOT NULL,
  cost        INTEGER NOT NULL,
  background  INTEGER NOT NULL, -- part of cost that nobody asked for
  PRIMARY KEY(session, model, at, last)
) WITHOUT ROWID;

CREATE TABLE carried_compaction(
  session       INTEGER NOT NULL REFERENCES session(id),
  eid           TEXT NOT NULL,
  at            INTEGER NOT NULL,
  tokens_before INTEGER NOT NULL,
  tokens_after  INTEGER NOT NULL,
  summary       TEXT NOT NULL,
  PRIMARY KEY(session, eid)
) WITHOUT ROWID;

CREATE TABLE carried_session(
  session       INTEGER PRIMARY KEY REFERENCES session(id),
  messages      INTEGER NOT NULL,
  user_messages INTEGER NOT NULL,
  started       INTEGER NOT NULL,
  updated       INTEGER NOT NULL
);

CREATE TABLE ledgered( -- what was already written to the ledger
  agent  INTEGER NOT NULL REFERENCES agent(id),
  what   TEXT NOT NULL, -- a day and model, a compaction, a session, an alias
  digest TEXT NOT NULL,
  PRIMARY KEY(agent, what)
) WITHOUT ROWID;

CREATE TABLE said( -- what tells the messages of people that the ledger has or will have
  installation INTEGER NOT NULL REFERENCES installation(id),
  key          INTEGER NOT NULL,
  PRIMARY KEY(installation, key)
) WITHOUT ROWID;

CREATE TABLE outbox( -- what could not be written to the ledger yet
  id           INTEGER PRIMARY KEY,
  installation INTEGER NOT NULL REFERENCES installation(id),
  line         TEXT NOT NULL -- JSON
);

CREATE TABLE problem(
  id           INTEGER PRIMARY KEY,
  installation INTEGER NOT NULL,
  scope        TEXT NOT NULL, -- the source it belongs to, or the part of a pass
  code         TEXT NOT NULL,
  path         TEXT NOT NULL,
  line         INTEGER NOT NULL,
  count        INTEGER NOT NULL,
  message      TEXT NOT NULL,
  hint         TEXT NOT NULL,
  UNIQUE(installation, scope, code, path, line, message)
);
