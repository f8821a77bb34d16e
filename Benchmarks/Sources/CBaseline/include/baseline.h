// What the same work takes with SQLite's own C interface: the floor that workloads are measured
// against.
#ifndef CFLOOR_H
#define CFLOOR_H

#include <stdint.h>

struct sqlite3;
struct sqlite3_stmt;

// Steps to the end and sums the first column.
int64_t baseline_scan(struct sqlite3_stmt *statement);

// Steps to the end and sums what four columns hold: an integer, the length of a text, a double, an
// integer.
int64_t baseline_scan4(struct sqlite3_stmt *statement);

// Steps to the end and touches the blob in the first column; returns how many rows there are.
int64_t baseline_scan_blobs(struct sqlite3_stmt *statement);

// Binds a text, if there is one, and adds up what the columns of at most `most` rows hold: numbers,
// and the lengths of texts and blobs.
int64_t baseline_ask(struct sqlite3_stmt *statement, const void *text, int32_t size, int64_t most);

// Inserts rows 0..<count of an integer, a text, a double and an integer.
int baseline_insert4(struct sqlite3_stmt *statement, int64_t count);

// Registers cplus1(x), which is x + 1.
int baseline_register(struct sqlite3 *db);

// Opens, prepares, finalizes and closes, so that the caller needs no SQLite of its own.
struct sqlite3 *baseline_open(const char *path);
int baseline_exec(struct sqlite3 *db, const char *sql);
struct sqlite3_stmt *baseline_prepare(struct sqlite3 *db, const char *sql);
int64_t baseline_fetch(struct sqlite3_stmt *statement, int64_t id);
void baseline_finalize(struct sqlite3_stmt *statement);
void baseline_close(struct sqlite3 *db);

// Gives memory that was freed back to the system, where its library can do that.
void baseline_release_memory(void);

#endif
