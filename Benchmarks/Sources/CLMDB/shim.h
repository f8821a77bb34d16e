// The Lightning Memory-Mapped Database. Debian: liblmdb-dev; Homebrew: lmdb.
#ifndef CLMDB_SHIM_H
#define CLMDB_SHIM_H

#include <lmdb.h>

#endif
