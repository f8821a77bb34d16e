// Regular expressions over UTF-8, without a type of ICU: its own headers clash with Foundation's.
#ifndef ICU_REGEX_H
#define ICU_REGEX_H

#include <stdint.h>

// A compiled pattern and the text it looks at; for one thread at a time.
typedef struct store_regex store_regex;

// What looking for a match came to.
enum {
  STORE_REGEX_NONE = 0,
  STORE_REGEX_FOUND = 1,
  // More steps, or memory, than a match may take.
  STORE_REGEX_STOPPED = -1,
  STORE_REGEX_FAILED = -2
};

// Compiles a pattern; null if it is none.
store_regex *_Nullable store_regex_open(const char *_Nonnull pattern, int32_t length);
void store_regex_close(store_regex *_Nullable regex);

// The text to look at, which is borrowed until the next one. The steps of all searches in it are
// counted together.
int32_t store_regex_use(store_regex *_Nonnull regex, const char *_Nonnull text, int32_t length);
// Finds the first match at or after a byte.
int32_t store_regex_find(store_regex *_Nonnull regex, int32_t from);
// Whether the whole text matches.
int32_t store_regex_match(store_regex *_Nonnull regex);

// The bytes of a group of the latest match, 0 for all of it; both -1 if it took no part.
void store_regex_group(store_regex *_Nonnull regex, int32_t group, int32_t *_Nonnull start,
                       int32_t *_Nonnull end);
int32_t store_regex_group_count(store_regex *_Nonnull regex);

#endif
