// The statements of a document store with SQLite's own C interface, on files of the same format:
// no checks, no copies, nothing remembered but the statements.
#ifndef CFLOOR_STORE_H
#define CFLOOR_STORE_H

#include <stdint.h>

struct sqlite3;
struct sqlite3_stmt;
struct floor_store;

// Records that are to be written, one behind the other: record i ends where i + 1 begins.
struct floor_records {
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

// The columns that a record is read with.
enum floor_content { floor_metadata, floor_body, floor_all };
enum floor_order { floor_by_key, floor_by_sequence, floor_unsorted };

// The property `age` of a small Fleece dictionary with numbered keys; -1 if it has none.
int64_t floor_age(const void *body, int64_t size, int age_key);

// Opens a file, sets `pragmas`, compiles nothing. Null if it cannot.
struct floor_store *floor_store_open(const char *path, const char *pragmas, int read_only);
void floor_store_close(struct floor_store *store);

// Transactions; 0 if all is well.
int floor_begin(struct floor_store *store, int is_writing);
// Also writes the last sequence, if there is a new one.
int floor_commit(struct floor_store *store);

// Writes records first..<first + count under new sequences. With a batch of 0 in the transaction
// that is open, otherwise in one of its own for each batch.
int floor_store_insert(
    struct floor_store *store, const struct floor_records *records, int64_t first, int64_t count,
    int64_t batch);

// Reads the records of these numbers and sums their ages; -1 if one is missing. With
// `has_snapshots` in a transaction for each.
int64_t floor_store_get(
    struct floor_store *store, const struct floor_records *records, const int32_t *numbers,
    int64_t count, int has_snapshots);

// Reads each record and writes it with the body of the one that is `shift` later.
int floor_store_update(
    struct floor_store *store, const struct floor_records *records, const int32_t *numbers,
    int64_t count, int64_t shift);

// Moves the records to the table of tombstones. Their sequences are their numbers + 1.
int floor_store_delete(
    struct floor_store *store, const struct floor_records *records, const int32_t *numbers,
    int64_t count);
int floor_store_purge(
    struct floor_store *store, const struct floor_records *records, const int32_t *numbers,
    int64_t count);
int floor_store_expire(
    struct floor_store *store, const struct floor_records *records, const int32_t *numbers,
    int64_t count, int64_t time);
// Returns how many there were.
int64_t floor_store_purge_expired(struct floor_store *store, int64_t time);

// Walks through all records: sums ages, or with metadata alone the sizes of the bodies. With
// `takes_all` each column is looked at, otherwise the body only.
int64_t floor_store_walk(
    struct floor_store *store, enum floor_order order, enum floor_content content, int takes_all,
    int age_key);

// Adds numbers, without touching memory that others use: what a machine has to give to threads.
int64_t floor_count_up(int64_t count);

int64_t floor_store_count(struct floor_store *store);
int64_t floor_store_count_dead(struct floor_store *store);
int64_t floor_store_count_expiring(struct floor_store *store);
int64_t floor_store_last_sequence(struct floor_store *store);
int64_t floor_store_data_version(struct floor_store *store);

#endif
