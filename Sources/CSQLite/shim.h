// Functions of sqlite3.h that Swift cannot call directly or that older versions of SQLite lack.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

// sqlite3_db_config takes C varargs, which Swift cannot call.
static inline int shim_db_config_int(sqlite3 *db, int operation, int value, int *result) {
  return sqlite3_db_config(db, operation, value, result);
}

// sqlite3_config takes C varargs, too. It has no effect after the library is initialized.
static inline int shim_config_int(int operation, int value) {
  return sqlite3_config(operation, value);
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

// Since 3.38; before that, the offset of an error is unknown.
static inline int shim_error_offset(sqlite3 *db) {
#if SQLITE_VERSION_NUMBER >= 3038000
  return sqlite3_error_offset(db);
#else
  (void)db;
  return -1;
#endif
}

// Since 3.39; before that, the names of attached databases are not available.
static inline const char *shim_db_name(sqlite3 *db, int index) {
#if SQLITE_VERSION_NUMBER >= 3039000
  return sqlite3_db_name(db, index);
#else
  (void)db;
  return index == 0 ? "main" : index == 1 ? "temp" : 0;
#endif
}

// Since 3.32; before that, the file is not available.
static inline sqlite3_file *shim_database_file_object(const char *journalOrWAL) {
#if SQLITE_VERSION_NUMBER >= 3032000
  return sqlite3_database_file_object(journalOrWAL);
#else
  (void)journalOrWAL;
  return 0;
#endif
}

// The tokenizers of FTS3 and FTS4. SQLite documents these structs, but installs no header for them.
typedef struct shim_tokenizer_module shim_tokenizer_module;
typedef struct shim_tokenizer {
  const shim_tokenizer_module *pModule;
} shim_tokenizer;
typedef struct shim_tokenizer_cursor {
  shim_tokenizer *pTokenizer;
} shim_tokenizer_cursor;
struct shim_tokenizer_module {
  int iVersion;
  int (*xCreate)(int count, const char *const *arguments, shim_tokenizer **result);
  int (*xDestroy)(shim_tokenizer *tokenizer);
  int (*xOpen)(shim_tokenizer *tokenizer, const char *text, int byteCount,
               shim_tokenizer_cursor **result);
  int (*xClose)(shim_tokenizer_cursor *cursor);
  int (*xNext)(shim_tokenizer_cursor *cursor, const char **token, int *byteCount, int *start,
               int *end, int *position);
  int (*xLanguageid)(shim_tokenizer_cursor *cursor, int language);
};

// sqlite3_vtab_config takes C varargs; the two options used here exist since 3.31.
static inline int shim_vtab_config(sqlite3 *db, int option) {
#if SQLITE_VERSION_NUMBER >= 3031000
  return sqlite3_vtab_config(db, option);
#else
  (void)db;
  (void)option;
  return SQLITE_OK;
#endif
}

// Since 3.38; before that, SQLite never requests distinct rows.
static inline int shim_vtab_distinct(sqlite3_index_info *info) {
#if SQLITE_VERSION_NUMBER >= 3038000
  return sqlite3_vtab_distinct(info);
#else
  (void)info;
  return 0;
#endif
}

#endif
