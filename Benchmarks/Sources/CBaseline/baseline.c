#include "baseline.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void baseline_release_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

int64_t baseline_scan(sqlite3_stmt *statement) {
  int64_t sum = 0;
  while (sqlite3_step(statement) == SQLITE_ROW) sum += sqlite3_column_int64(statement, 0);
  sqlite3_reset(statement);
  return sum;
}

static int64_t sum4(sqlite3_stmt *statement) {
  int64_t sum = sqlite3_column_int64(statement, 0);
  const unsigned char *text = sqlite3_column_text(statement, 1);
  int count = sqlite3_column_bytes(statement, 1);
  // The string is read, like one that is passed to a caller.
  if (text) sum += count + text[0];
  sum += (int64_t)sqlite3_column_double(statement, 2);
  return sum + sqlite3_column_int64(statement, 3);
}

int64_t baseline_scan4(sqlite3_stmt *statement) {
  int64_t sum = 0;
  while (sqlite3_step(statement) == SQLITE_ROW) sum += sum4(statement);
  sqlite3_reset(statement);
  return sum;
}

int baseline_insert4(sqlite3_stmt *statement, int64_t count) {
  char text[32];
  for (int64_t index = 0; index < count; index++) {
    int length = snprintf(text, sizeof text, "row number %lld", (long long)index);
    sqlite3_bind_int64(statement, 1, index + 1);
    sqlite3_bind_text(statement, 2, text, length, SQLITE_STATIC);
    sqlite3_bind_double(statement, 3, (double)index * 0.5);
    sqlite3_bind_int64(statement, 4, index % 100);
    if (sqlite3_step(statement) != SQLITE_DONE) return 1;
    sqlite3_reset(statement);
  }
  return 0;
}

int64_t baseline_fetch(sqlite3_stmt *statement, int64_t id) {
  sqlite3_bind_int64(statement, 1, id);
  int64_t sum = sqlite3_step(statement) == SQLITE_ROW ? sum4(statement) : -1;
  sqlite3_reset(statement);
  return sum;
}

static void plus1(sqlite3_context *context, int count, sqlite3_value **arguments) {
  (void)count;
  sqlite3_result_int64(context, sqlite3_value_int64(arguments[0]) + 1);
}

int baseline_register(sqlite3 *db) {
  return sqlite3_create_function_v2(
      db, "cplus1", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, plus1, NULL, NULL, NULL);
}

sqlite3 *baseline_open(const char *path) {
  sqlite3 *db = NULL;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path, &db, flags, NULL) != SQLITE_OK) {
    sqlite3_close(db);
    return NULL;
  }
  return db;
}

int baseline_exec(sqlite3 *db, const char *sql) { return sqlite3_exec(db, sql, NULL, NULL, NULL); }

sqlite3_stmt *baseline_prepare(sqlite3 *db, const char *sql) {
  sqlite3_stmt *statement = NULL;
  sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
  return statement;
}

void baseline_finalize(sqlite3_stmt *statement) { sqlite3_finalize(statement); }

void baseline_close(sqlite3 *db) { sqlite3_close(db); }

int64_t baseline_scan_blobs(sqlite3_stmt *statement) {
  int64_t sum = 0;
  int64_t rows = 0;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    const unsigned char *bytes = sqlite3_column_blob(statement, 0);
    int count = sqlite3_column_bytes(statement, 0);
    if (bytes) sum += bytes[0] + bytes[count - 1];
    rows++;
  }
  sqlite3_reset(statement);
  return sum ? rows : -1;
}

static volatile int touched;

static int64_t column_sum(sqlite3_stmt *row, int column) {
  switch (sqlite3_column_type(row, column)) {
  case SQLITE_INTEGER: return sqlite3_column_int64(row, column);
  case SQLITE_TEXT:
  case SQLITE_BLOB: {
    // A pointer to the bytes, of which two are read.
    const unsigned char *bytes = sqlite3_column_blob(row, column);
    int count = sqlite3_column_bytes(row, column);
    if (count) touched ^= bytes[0] ^ bytes[count - 1];
    return count;
  }
  default: return 0;
  }
}

int64_t baseline_ask(sqlite3_stmt *statement, const void *text, int32_t size, int64_t most) {
  if (text) sqlite3_bind_text(statement, 1, text, size, SQLITE_STATIC);
  int columns = sqlite3_column_count(statement);
  int64_t sum = 0;
  while (most-- > 0 && sqlite3_step(statement) == SQLITE_ROW) {
    for (int column = 0; column < columns; column++) sum += column_sum(statement, column);
  }
  sqlite3_reset(statement);
  return sum;
}
