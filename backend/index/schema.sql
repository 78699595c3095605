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
  header_at     INTEGER NOT NULL DEFAULT 0,
  header_parent TEXT NOT NULL DEFAULT '',
  first_entry   TEXT NOT NULL DEFAULT '',
  in_database   INTEGER NOT NULL DEFAULT 0,
  version       INTEGER NOT NULL DEFAULT 0,
  cwd           TEXT NOT NULL DEFAULT '',
  key           TEXT NOT NULL DEFAULT '',
  background    INTEGER NOT NULL DEFAULT 0,
  current       INTEGER NOT NULL DEFAULT 0,
  leaf          TEXT NOT NULL DEFAULT '',
  previous      TEXT NOT NULL DEFAULT '',
  notes         TEXT NOT NULL DEFAULT '{}', -- memory.SessionMeta
  title         TEXT NOT NULL DEFAULT '',   -- what a person said first
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
  UNIQUE(agent, sid)
);

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
CREATE UNIQUE INDEX call_once ON call(once);
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

CREATE TABLE carried( -- usage of calls that only the ledger still knows
  session     INTEGER NOT NULL REFERENCES session(id),
  model       INTEGER NOT NULL,
  at          INTEGER NOT NULL, -- first call of the day
  calls       INTEGER NOT NULL,
  unpriced    INTEGER NOT NULL,
  input       INTEGER NOT NULL,
  output      INTEGER NOT NULL,
  cache_read  INTEGER NOT NULL,
  cache_write INTEGER NOT NULL,
  cost        INTEGER NOT NULL,
  background  INTEGER NOT NULL, -- part of cost that nobody asked for
  PRIMARY KEY(session, model, at)
) WITHOUT ROWID;

CREATE TABLE ledgered( -- what was already written to the ledger
  session INTEGER NOT NULL,
  what    TEXT NOT NULL, -- a day and model, or a compaction
  digest  TEXT NOT NULL,
  PRIMARY KEY(session, what)
) WITHOUT ROWID;

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
