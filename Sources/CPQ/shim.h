// libpq, the client library of PostgreSQL.
#ifndef CPQ_SHIM_H
#define CPQ_SHIM_H

#include <libpq-fe.h>

// Macros with casts, which Swift does not import; see `pg_type` of PostgreSQL.
enum {
  shim_oid_bytea = 17,
  shim_oid_int8 = 20,
  shim_oid_int2 = 21,
  shim_oid_int4 = 23,
  shim_oid_text = 25,
  shim_oid_jsonb = 3802,
  shim_oid_bytea_array = 1001,
  shim_oid_int2_array = 1005,
  shim_oid_text_array = 1009,
  shim_oid_jsonb_array = 3807,
};

#endif
