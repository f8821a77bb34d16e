#include "store.h"

#include "baseline.h"

#include <sqlite3.h>
#include <stdlib.h>

#define COLUMNS_META "key, sequence, flags, version, expiration, length(body), length(extra)"
#define COLUMNS_BODY "key, sequence, flags, version, expiration, body, length(extra)"
#define COLUMNS_ALL "key, sequence, flags, version, expiration, body, extra"

enum statement {
  begin, begin_writing, commit, insert, get, update, move, drop, expire, purge_expired, count_rows,
  count_tombstones, count_expiring, set_sequence, last_sequence, data_version, walks,
  statements = walks + 9
};

static const char *const sql_texts[statements] = {
    [begin] = "BEGIN",
    [begin_writing] = "BEGIN IMMEDIATE",
    [commit] = "COMMIT",
    [insert] = "INSERT OR IGNORE INTO kv_default (version, body, extra, flags, sequence, key) "
               "VALUES (?, ?, ?, ?, ?, ?)",
    [get] = "SELECT " COLUMNS_ALL " FROM kv_default WHERE key=?",
    [update] = "UPDATE kv_default SET version=?, body=?, extra=?, flags=?, sequence=? "
               "WHERE key=? AND ifnull(sequence, 0)=? AND (ifnull(flags, 0) >> 16)=?",
    [move] = "INSERT INTO kv_del_default (version, body, extra, flags, sequence, key, expiration) "
             "SELECT ?1, ?2, ?3, ?4, ?5, key, "
             "CASE typeof(expiration) WHEN 'integer' THEN expiration END FROM kv_default "
             "WHERE key=?6 AND ifnull(sequence, 0)=?7 AND (ifnull(flags, 0) >> 16)=?8",
    [drop] = "DELETE FROM kv_default WHERE key=?",
    [expire] = "UPDATE kv_default SET expiration=? WHERE key=?",
    [purge_expired] = "DELETE FROM kv_default WHERE expiration NOT NULL AND expiration <= ?",
    [count_rows] = "SELECT count(*) FROM kv_default",
    [count_tombstones] = "SELECT count(*) FROM kv_del_default",
    [count_expiring] = "SELECT count(*) FROM kv_default WHERE expiration NOT NULL",
    [set_sequence] = "INSERT INTO kvmeta (name, lastSeq) VALUES ('default', ?) "
                     "ON CONFLICT (name) DO UPDATE SET lastSeq = excluded.lastSeq",
    [last_sequence] = "SELECT lastSeq FROM kvmeta WHERE name='default'",
    [data_version] = "PRAGMA data_version",
    [walks] = "SELECT " COLUMNS_META " FROM kv_default ORDER BY key",
    [walks + 1] = "SELECT " COLUMNS_BODY " FROM kv_default ORDER BY key",
    [walks + 2] = "SELECT " COLUMNS_ALL " FROM kv_default ORDER BY key",
    [walks + 3] = "SELECT " COLUMNS_META " FROM kv_default ORDER BY sequence",
    [walks + 4] = "SELECT " COLUMNS_BODY " FROM kv_default ORDER BY sequence",
    [walks + 5] = "SELECT " COLUMNS_ALL " FROM kv_default ORDER BY sequence",
    [walks + 6] = "SELECT " COLUMNS_META " FROM kv_default",
    [walks + 7] = "SELECT " COLUMNS_BODY " FROM kv_default",
    [walks + 8] = "SELECT " COLUMNS_ALL " FROM kv_default",
};

struct baseline_store {
  sqlite3 *db;
  sqlite3_stmt *cached[statements];
  int64_t sequence;
  int has_new_sequence;
};

struct baseline_store *baseline_store_open(const char *path, const char *pragmas, int read_only) {
  struct baseline_store *store = calloc(1, sizeof *store);
  int flags = SQLITE_OPEN_NOMUTEX | (read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE);
  if (sqlite3_open_v2(path, &store->db, flags, NULL) != SQLITE_OK
      || baseline_exec(store->db, pragmas) != SQLITE_OK) {
    baseline_store_close(store);
    return NULL;
  }
  sqlite3_busy_timeout(store->db, 10000);
  store->sequence = -1;
  return store;
}

void baseline_store_close(struct baseline_store *store) {
  for (int index = 0; index < statements; index++) sqlite3_finalize(store->cached[index]);
  sqlite3_close(store->db);
  free(store);
}

static sqlite3_stmt *statement(struct baseline_store *store, int which) {
  if (!store->cached[which]) store->cached[which] = baseline_prepare(store->db, sql_texts[which]);
  return store->cached[which];
}

static int run(sqlite3_stmt *statement) {
  int code = sqlite3_step(statement);
  int reset = sqlite3_reset(statement);
  return code == SQLITE_DONE || code == SQLITE_ROW ? reset : code;
}

static int64_t number(struct baseline_store *store, int which) {
  sqlite3_stmt *found = statement(store, which);
  int64_t result = sqlite3_step(found) == SQLITE_ROW ? sqlite3_column_int64(found, 0) : 0;
  sqlite3_reset(found);
  return result;
}

int baseline_begin(struct baseline_store *store, int is_writing) {
  return run(statement(store, is_writing ? begin_writing : begin));
}

int baseline_commit(struct baseline_store *store) {
  if (store->has_new_sequence) {
    sqlite3_stmt *set = statement(store, set_sequence);
    sqlite3_bind_int64(set, 1, store->sequence);
    if (run(set)) return 1;
    store->has_new_sequence = 0;
  }
  return run(statement(store, commit));
}

static int64_t next_sequence(struct baseline_store *store) {
  if (store->sequence < 0) store->sequence = number(store, last_sequence);
  store->has_new_sequence = 1;
  return ++store->sequence;
}

static void bind_key(
    sqlite3_stmt *statement, int place, const struct baseline_records *records, int64_t index) {
  int64_t start = records->key_offsets[index];
  int size = (int)(records->key_offsets[index + 1] - start);
  sqlite3_bind_text(statement, place, records->keys + start, size, SQLITE_STATIC);
}

// Binds the written columns; no body if `body` is negative.
static void bind_record(
    sqlite3_stmt *statement, const struct baseline_records *records, int64_t index, int64_t body,
    int flags, int64_t sequence) {
  sqlite3_bind_blob(statement, 1, records->version, records->version_size, SQLITE_STATIC);
  if (body >= 0) {
    int64_t start = records->body_offsets[body];
    int size = (int)(records->body_offsets[body + 1] - start);
    sqlite3_bind_blob(statement, 2, records->bodies + start, size, SQLITE_STATIC);
  } else {
    sqlite3_bind_null(statement, 2);
  }
  sqlite3_bind_null(statement, 3);
  sqlite3_bind_int64(statement, 4, flags);
  sqlite3_bind_int64(statement, 5, sequence);
  bind_key(statement, 6, records, index);
}

// Like the store, creates the index of the sequences in the transaction that exceeds 5,000 records.
static int commit_insertions(struct baseline_store *store, int64_t before, int64_t count) {
  if (before <= 5000 && count > 5000) {
    const char *sql = "CREATE UNIQUE INDEX kv_default_seqs ON kv_default (sequence)";
    if (sqlite3_exec(store->db, sql, 0, 0, 0)) return 1;
  }
  return baseline_commit(store);
}

int baseline_store_insert(
    struct baseline_store *store, const struct baseline_records *records, int64_t first,
    int64_t count, int64_t batch) {
  sqlite3_stmt *add = statement(store, insert);
  int64_t begin = 0;
  for (int64_t index = first; index < first + count; index++) {
    if (batch && (index - first) % batch == 0) {
      if (index > first && commit_insertions(store, begin, index - first)) return 1;
      begin = index - first;
      if (baseline_begin(store, 1)) return 1;
    }
    bind_record(add, records, index, index, 0, next_sequence(store));
    if (run(add) || sqlite3_changes(store->db) != 1) return 1;
  }
  return batch && count ? commit_insertions(store, begin, count) : 0;
}

int64_t baseline_age(const void *body, int64_t size, int age_key) {
  const uint8_t *bytes = body;
  const uint8_t *root = bytes + size - 2;
  if (size < 4) return -1;
  if (root[0] & 0x80) root -= (((root[0] & 0x7f) << 8) | root[1]) * 2;
  if (root < bytes || (root[0] & 0xf8) != 0x70) return -1;
  int count = ((root[0] & 7) << 8) | root[1];
  const uint8_t *pair = root + 2;
  for (int index = 0; index < count && pair + 4 <= bytes + size; index++, pair += 4) {
    if (pair[0] == (age_key >> 8) && pair[1] == (age_key & 0xff))
      return ((pair[2] & 0xf) << 8) | pair[3];
  }
  return -1;
}

static int64_t touch(sqlite3_stmt *row) {
  int64_t sum = sqlite3_column_int64(row, 1) ^ sqlite3_column_int64(row, 2);
  const uint8_t *version = sqlite3_column_blob(row, 3);
  int size = sqlite3_column_bytes(row, 3);
  if (size) sum ^= version[size - 1];
  if (sqlite3_column_type(row, 4) != SQLITE_NULL) sum ^= sqlite3_column_int64(row, 4);
  return sum ^ sqlite3_column_int64(row, 6);
}

static volatile int64_t touched;

static int64_t row_age(sqlite3_stmt *row, int age_key) {
  const void *body = sqlite3_column_blob(row, 5);
  return baseline_age(body, sqlite3_column_bytes(row, 5), age_key);
}

static int64_t read_one(
    struct baseline_store *store, sqlite3_stmt *select, const struct baseline_records *records,
    int64_t index) {
  (void)store;
  int64_t age = -1;
  bind_key(select, 1, records, index);
  if (sqlite3_step(select) == SQLITE_ROW) {
    touched ^= touch(select);
    age = row_age(select, records->age_key);
  }
  sqlite3_reset(select);
  return age;
}

int64_t baseline_store_get(
    struct baseline_store *store, const struct baseline_records *records, const int32_t *numbers,
    int64_t count, int has_snapshots) {
  sqlite3_stmt *select = statement(store, get);
  int64_t sum = 0;
  for (int64_t index = 0; index < count; index++) {
    if (has_snapshots && baseline_begin(store, 0)) return -1;
    int64_t age = read_one(store, select, records, numbers[index]);
    if (has_snapshots && baseline_commit(store)) return -1;
    if (age < 0) return -1;
    sum += age;
  }
  return sum;
}

int baseline_store_update(
    struct baseline_store *store, const struct baseline_records *records, const int32_t *numbers,
    int64_t count, int64_t shift) {
  sqlite3_stmt *select = statement(store, get);
  sqlite3_stmt *change = statement(store, update);
  for (int64_t index = 0; index < count; index++) {
    int64_t record = numbers[index];
    bind_key(select, 1, records, record);
    if (sqlite3_step(select) != SQLITE_ROW) return 1;
    touched ^= touch(select) ^ row_age(select, records->age_key);
    int64_t sequence = sqlite3_column_int64(select, 1);
    int64_t flags = sqlite3_column_int64(select, 2);
    sqlite3_reset(select);
    int64_t body = (record + shift) % records->count;
    bind_record(change, records, record, body, 0, next_sequence(store));
    sqlite3_bind_int64(change, 7, sequence);
    sqlite3_bind_int64(change, 8, flags >> 16);
    if (run(change) || sqlite3_changes(store->db) != 1) return 1;
  }
  return 0;
}

int baseline_store_delete(
    struct baseline_store *store, const struct baseline_records *records, const int32_t *numbers,
    int64_t count) {
  sqlite3_stmt *bury = statement(store, move);
  sqlite3_stmt *remove = statement(store, drop);
  for (int64_t index = 0; index < count; index++) {
    int64_t record = numbers[index];
    bind_record(bury, records, record, -1, 1, next_sequence(store));
    sqlite3_bind_int64(bury, 7, record + 1);
    sqlite3_bind_int64(bury, 8, 0);
    if (run(bury) || sqlite3_changes(store->db) != 1) return 1;
    bind_key(remove, 1, records, record);
    if (run(remove)) return 1;
  }
  return 0;
}

int baseline_store_purge(
    struct baseline_store *store, const struct baseline_records *records, const int32_t *numbers,
    int64_t count) {
  sqlite3_stmt *remove = statement(store, drop);
  for (int64_t index = 0; index < count; index++) {
    bind_key(remove, 1, records, numbers[index]);
    if (run(remove) || sqlite3_changes(store->db) != 1) return 1;
  }
  return 0;
}

int baseline_store_expire(
    struct baseline_store *store, const struct baseline_records *records, const int32_t *numbers,
    int64_t count, int64_t time) {
  sqlite3_stmt *set = statement(store, expire);
  for (int64_t index = 0; index < count; index++) {
    sqlite3_bind_int64(set, 1, time);
    bind_key(set, 2, records, numbers[index]);
    if (run(set) || sqlite3_changes(store->db) != 1) return 1;
  }
  return 0;
}

int64_t baseline_store_purge_expired(struct baseline_store *store, int64_t time) {
  sqlite3_stmt *purge = statement(store, purge_expired);
  sqlite3_bind_int64(purge, 1, time);
  return run(purge) ? -1 : sqlite3_changes(store->db);
}

int64_t baseline_store_walk(
    struct baseline_store *store, enum baseline_order order, enum baseline_content content,
    int takes_all, int age_key) {
  sqlite3_stmt *walk = statement(store, walks + (int)order * 3 + (int)content);
  int64_t sum = 0;
  int64_t other = 0;
  while (sqlite3_step(walk) == SQLITE_ROW) {
    if (takes_all) {
      const unsigned char *key = sqlite3_column_text(walk, 0);
      other ^= touch(walk) ^ (key ? key[sqlite3_column_bytes(walk, 0) - 1] : 0);
    }
    sum += content == baseline_metadata ? sqlite3_column_int64(walk, 5) : row_age(walk, age_key);
  }
  sqlite3_reset(walk);
  touched ^= other;
  return sum;
}

int64_t baseline_count_up(int64_t count) {
  volatile int64_t sum = 0;
  for (int64_t index = 0; index < count; index++) sum = sum + index;
  return sum;
}

int64_t baseline_store_count(struct baseline_store *store) { return number(store, count_rows); }
int64_t baseline_store_count_tombstones(struct baseline_store *store) {
  return number(store, count_tombstones);
}
int64_t baseline_store_count_expiring(struct baseline_store *store) {
  return number(store, count_expiring);
}
int64_t baseline_store_last_sequence(struct baseline_store *store) {
  return number(store, last_sequence);
}
int64_t baseline_store_data_version(struct baseline_store *store) {
  return number(store, data_version);
}
