// The same work with SQLite's C interface: the baseline that workloads are measured against.
#ifndef CBASELINE_H
#define CBASELINE_H

#include <stdint.h>

struct sqlite3;
struct sqlite3_stmt;

// Steps to the end and sums the first column.
int64_t baseline_scan(struct sqlite3_stmt *statement);

// Steps to the end and sums four columns: an integer, the length of a string, a double, an integer.
int64_t baseline_scan4(struct sqlite3_stmt *statement);

// Steps to the end and touches the blob in the first column; returns the number of rows.
int64_t baseline_scan_blobs(struct sqlite3_stmt *statement);

// Binds a string, unless it is null, and sums the columns of at most `most` rows: numbers, and the
// lengths of strings and blobs.
int64_t baseline_ask(struct sqlite3_stmt *statement, const void *text, int32_t size, int64_t most);

// Inserts rows 0..<count of an integer, a string, a double and an integer.
int baseline_insert4(struct sqlite3_stmt *statement, int64_t count);

// Registers cplus1(x), which returns x + 1.
int baseline_register(struct sqlite3 *db);

// Wrappers of SQLite's functions, so that the caller does not need to import SQLite.
struct sqlite3 *baseline_open(const char *path);
int baseline_exec(struct sqlite3 *db, const char *sql);
struct sqlite3_stmt *baseline_prepare(struct sqlite3 *db, const char *sql);
int64_t baseline_fetch(struct sqlite3_stmt *statement, int64_t id);
void baseline_finalize(struct sqlite3_stmt *statement);
void baseline_close(struct sqlite3 *db);

// Returns freed memory to the system, if the C library supports it.
void baseline_release_memory(void);

#endif
