#include "statement.h"

#include <sqlite3.h>

int baseline_bind_text(sqlite3_stmt *statement, int index, const void *bytes, int size) {
  return sqlite3_bind_text(statement, index, bytes, size, SQLITE_STATIC);
}

int baseline_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int size) {
  return sqlite3_bind_blob(statement, index, bytes, size, SQLITE_STATIC);
}

int baseline_bind_integer(sqlite3_stmt *statement, int index, int64_t number) {
  return sqlite3_bind_int64(statement, index, number);
}

int baseline_step(sqlite3_stmt *statement) {
  switch (sqlite3_step(statement)) {
  case SQLITE_ROW: return 1;
  case SQLITE_DONE: return 0;
  default: return -1;
  }
}

void baseline_reset(sqlite3_stmt *statement) { sqlite3_reset(statement); }

int baseline_changes(sqlite3_stmt *statement) {
  return sqlite3_changes(sqlite3_db_handle(statement));
}

int baseline_column_count(sqlite3_stmt *statement) { return sqlite3_column_count(statement); }

int baseline_column_is_integer(sqlite3_stmt *statement, int column) {
  return sqlite3_column_type(statement, column) == SQLITE_INTEGER;
}

int64_t baseline_column_integer(sqlite3_stmt *statement, int column) {
  return sqlite3_column_int64(statement, column);
}

const void *baseline_column_bytes(sqlite3_stmt *statement, int column, int *size) {
  const void *bytes = sqlite3_column_blob(statement, column);
  *size = sqlite3_column_bytes(statement, column);
  return bytes;
}

static volatile int touched;

int64_t baseline_sum_row(sqlite3_stmt *statement) {
  int64_t sum = 0;
  int columns = sqlite3_column_count(statement);
  for (int column = 0; column < columns; column++) {
    if (sqlite3_column_type(statement, column) == SQLITE_INTEGER) {
      sum += sqlite3_column_int64(statement, column);
      continue;
    }
    int size = 0;
    const unsigned char *bytes = baseline_column_bytes(statement, column, &size);
    if (size) touched ^= bytes[0] ^ bytes[size - 1];
    sum += size;
  }
  return sum;
}

int64_t baseline_sum_rows(sqlite3_stmt *statement, int64_t *sum) {
  int64_t rows = 0;
  int code = 0;
  while ((code = baseline_step(statement)) == 1) {
    *sum += baseline_sum_row(statement);
    rows++;
  }
  sqlite3_reset(statement);
  return code < 0 ? -1 : rows;
}
