// What Swift cannot call of sqlite3.h directly, and what older versions of SQLite lack.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

// sqlite3_db_config takes C varargs, which Swift cannot call.
static inline int shim_db_config_int(sqlite3 *db, int operation, int value, int *result) {
  return sqlite3_db_config(db, operation, value, result);
}

// Since 3.37; before that, counts beyond 32 bits wrap.
static inline sqlite3_int64 shim_changes(sqlite3 *db) {
#if SQLITE_VERSION_NUMBER >= 3037000
  return sqlite3_changes64(db);
#else
  return sqlite3_changes(db);
#endif
}

static inline sqlite3_int64 shim_total_changes(sqlite3 *db) {
#if SQLITE_VERSION_NUMBER >= 3037000
  return sqlite3_total_changes64(db);
#else
  return sqlite3_total_changes(db);
#endif
}

// Since 3.38; before that, the place of a mistake is not known.
static inline int shim_error_offset(sqlite3 *db) {
#if SQLITE_VERSION_NUMBER >= 3038000
  return sqlite3_error_offset(db);
#else
  (void)db;
  return -1;
#endif
}

// Since 3.32; before that, the file cannot be had.
static inline sqlite3_file *shim_database_file_object(const char *journalOrWAL) {
#if SQLITE_VERSION_NUMBER >= 3032000
  return sqlite3_database_file_object(journalOrWAL);
#else
  (void)journalOrWAL;
  return 0;
#endif
}

#endif
