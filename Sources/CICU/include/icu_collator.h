// The order of texts in a language.
#ifndef CICU_COLLATOR_H
#define CICU_COLLATOR_H

#include <stdbool.h>
#include <stdint.h>

typedef struct icu_collator icu_collator;

// Makes a collator; NULL if there is no memory or no data. An unknown locale is the root's.
//
// Where ICU allows it, `^` and the grave accent are placed after the space, and control characters
// after `z`, as LiteCore orders ASCII; ICU has the former after `%` and ignores the latter.
icu_collator *_Nullable icu_collator_open(const char *_Nonnull locale, bool case_sensitive,
                                          bool diacritic_sensitive);

void icu_collator_close(icu_collator *_Nullable collator);

// Compares two texts of UTF-8; what is invalid counts as U+FFFD. Threads may share a collator.
int32_t icu_collator_compare(const icu_collator *_Nonnull collator, const void *_Nullable first,
                             int32_t first_count, const void *_Nullable second,
                             int32_t second_count);

// Whether each printable ASCII character is a letter or sign of its own in the collation: none
// begins a digraph with another one, as `ch` in Czech, nor is one ignored, and no setting of the
// locale orders them otherwise. Their order is not checked.
bool icu_collator_is_plain(const icu_collator *_Nonnull collator);

// Writes bytes that are the same for texts which compare as equal, and returns how many there are:
// if that is more than the capacity, only the first ones are written. 0 on failure.
int32_t icu_collator_key(const icu_collator *_Nonnull collator, const void *_Nullable text,
                         int32_t count, uint8_t *_Nonnull key, int32_t capacity);

// Writes what tells the orders of one platform and version from another's, as a text that ends
// with a zero; 64 bytes are enough.
void icu_collator_version(char *_Nonnull text, int32_t capacity);

#endif
