// What Swift's importer cannot see of sqlite3.h: nothing but constants whose macro is composite.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

// sqlite3_db_config takes C varargs, which Swift cannot call.
static inline int shim_db_config_int(sqlite3 *db, int operation, int value, int *result) {
  return sqlite3_db_config(db, operation, value, result);
}

#endif
