// The statements of a document store with SQLite's C interface, on files of the same format: no
// checks, no copies, no caches except of statements.
#ifndef CBASELINE_STORE_H
#define CBASELINE_STORE_H

#include <stdint.h>

struct sqlite3;
struct sqlite3_stmt;
struct baseline_store;

// Records to be written, stored contiguously: record i ends where i + 1 begins.
struct baseline_records {
  int64_t count;
  const char *keys;
  const int64_t *key_offsets;
  const uint8_t *bodies;
  const int64_t *body_offsets;
  const uint8_t *version;
  int version_size;
  // The number of the property `age` among the shared keys.
  int age_key;
};

// The columns that are read from a record.
enum baseline_content { baseline_metadata, baseline_body, baseline_all };
enum baseline_order { baseline_by_key, baseline_by_sequence, baseline_unsorted };

// The property `age` of a small Fleece dictionary with numbered keys; -1 if it has none.
int64_t baseline_age(const void *body, int64_t size, int age_key);

// Opens a file and sets `pragmas`, without compiling statements. Null if it fails.
struct baseline_store *baseline_store_open(const char *path, const char *pragmas, int read_only);
void baseline_store_close(struct baseline_store *store);

// Transactions; 0 on success.
int baseline_begin(struct baseline_store *store, int is_writing);
// Also writes the last sequence, if there is a new one.
int baseline_commit(struct baseline_store *store);

// Writes records first..<first + count under new sequences: with a batch of 0 in the current
// transaction, otherwise in a transaction for each batch.
int baseline_store_insert(
    struct baseline_store *store, const struct baseline_records *records, int64_t first,
    int64_t count, int64_t batch);

// Reads the records with these numbers and sums their ages; -1 if one is missing. With
// `has_snapshots` in a transaction for each.
int64_t baseline_store_get(
    struct baseline_store *store, const struct baseline_records *records, const int32_t *numbers,
    int64_t count, int has_snapshots);

// Reads each record and writes it with the body of the one that is `shift` later.
int baseline_store_update(
    struct baseline_store *store, const struct baseline_records *records, const int32_t *numbers,
    int64_t count, int64_t shift);

// Moves the records to the table of tombstones. Their sequences are their numbers + 1.
int baseline_store_delete(
    struct baseline_store *store, const struct baseline_records *records, const int32_t *numbers,
    int64_t count);
int baseline_store_purge(
    struct baseline_store *store, const struct baseline_records *records, const int32_t *numbers,
    int64_t count);
int baseline_store_expire(
    struct baseline_store *store, const struct baseline_records *records, const int32_t *numbers,
    int64_t count, int64_t time);
// Returns the number of purged records.
int64_t baseline_store_purge_expired(struct baseline_store *store, int64_t time);

// Scans all records and sums their ages or, with metadata alone, the sizes of the bodies. With
// `takes_all` each column is read, otherwise only the body.
int64_t baseline_store_walk(
    struct baseline_store *store, enum baseline_order order, enum baseline_content content,
    int takes_all, int age_key);

// Adds numbers without accessing shared memory: the capacity of a machine for threads.
int64_t baseline_count_up(int64_t count);

int64_t baseline_store_count(struct baseline_store *store);
int64_t baseline_store_count_tombstones(struct baseline_store *store);
int64_t baseline_store_count_expiring(struct baseline_store *store);
int64_t baseline_store_last_sequence(struct baseline_store *store);
int64_t baseline_store_data_version(struct baseline_store *store);

#endif
