// Single steps of SQLite's C interface, for workloads that compose their own statements: the caller
// does not need to import SQLite. Bound bytes are not copied: they must outlive the step.
#ifndef CBASELINE_STATEMENT_H
#define CBASELINE_STATEMENT_H

#include <stdint.h>

struct sqlite3_stmt;

// 0 on success.
int baseline_bind_text(struct sqlite3_stmt *statement, int index, const void *bytes, int size);
int baseline_bind_blob(struct sqlite3_stmt *statement, int index, const void *bytes, int size);
int baseline_bind_integer(struct sqlite3_stmt *statement, int index, int64_t number);

// 1 for a row, 0 at the end, -1 on failure.
int baseline_step(struct sqlite3_stmt *statement);
void baseline_reset(struct sqlite3_stmt *statement);
// The number of rows that the last statement of its connection changed.
int baseline_changes(struct sqlite3_stmt *statement);

int baseline_column_count(struct sqlite3_stmt *statement);
int baseline_column_is_integer(struct sqlite3_stmt *statement, int column);
int64_t baseline_column_integer(struct sqlite3_stmt *statement, int column);
// The bytes of a string or blob, until the next step. Null if it is empty.
const void *baseline_column_bytes(struct sqlite3_stmt *statement, int column, int *size);

// The sum of the columns of the current row: numbers, and the lengths of strings and blobs, of
// which the first and the last byte are read.
int64_t baseline_sum_row(struct sqlite3_stmt *statement);
// Steps to the end and adds the sums of the rows to `sum`; returns the number of rows, -1 on
// failure.
int64_t baseline_sum_rows(struct sqlite3_stmt *statement, int64_t *sum);

#endif
