// Texts of other encodings as UTF-8, piece by piece.
#ifndef CICU_CONVERTER_H
#define CICU_CONVERTER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct icu_converter icu_converter;

// What the conversion of a piece came to.
enum {
  ICU_CONVERTER_DONE = 0,
  // There is more to write than the target holds: call again, with what is not consumed.
  ICU_CONVERTER_MORE = 1,
  // Behind what was written, the source is not text of this encoding.
  ICU_CONVERTER_INVALID = -1,
  ICU_CONVERTER_FAILED = -2
};

// The smallest target, in bytes.
enum { ICU_CONVERTER_TARGET = 1 << 14 };

// Makes a converter; NULL for an encoding that is not known.
icu_converter *_Nullable icu_converter_open(const char *_Nonnull encoding);

void icu_converter_close(icu_converter *_Nullable converter);

// Writes a piece of the source as UTF-8. What is not consumed must come again, before the next
// piece; `is_end` says that nothing follows.
int32_t icu_converter_convert(icu_converter *_Nonnull converter, const uint8_t *_Nullable source,
                              int32_t count, bool is_end, uint8_t *_Nonnull target,
                              int32_t *_Nonnull consumed, int32_t *_Nonnull written);

// The bytes that were invalid last, eight at most; returns how many there are.
int32_t icu_converter_invalid(icu_converter *_Nonnull converter, uint8_t *_Nonnull bytes);

#endif
