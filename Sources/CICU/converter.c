#include "icu_converter.h"

#include <stdlib.h>
#include <string.h>

#if __APPLE__

// Apple's systems have no ICU to link with, but iconv, which works piece by piece, too.
#include <errno.h>
#include <iconv.h>
#include <stdio.h>

struct icu_converter {
  iconv_t descriptor;
  uint8_t invalid;
  int32_t invalid_count;
};

icu_converter *icu_converter_open(const char *encoding) {
  char name[64];
  if (!*encoding) return NULL;
  // ICU knows utf16, iconv only utf-16.
  bool needs_hyphen = strncmp(encoding, "utf", 3) == 0 && encoding[3] >= '0' && encoding[3] <= '9';
  int length = snprintf(name, sizeof name, "%s%s", needs_hyphen ? "utf-" : "",
                        needs_hyphen ? encoding + 3 : encoding);
  if (length < 0 || length >= (int)sizeof name) return NULL;
  iconv_t descriptor = iconv_open("UTF-8", name);
  if (descriptor == (iconv_t)-1) return NULL;
  icu_converter *converter = calloc(1, sizeof *converter);
  if (converter) {
    converter->descriptor = descriptor;
  } else {
    iconv_close(descriptor);
  }
  return converter;
}

void icu_converter_close(icu_converter *converter) {
  if (!converter) return;
  iconv_close(converter->descriptor);
  free(converter);
}

int32_t icu_converter_convert(icu_converter *converter, const uint8_t *source, int32_t count,
                              bool is_end, uint8_t *target, int32_t *consumed, int32_t *written) {
  char *from = (char *)source;
  char *to = (char *)target;
  size_t left = (size_t)count;
  size_t room = ICU_CONVERTER_TARGET;
  size_t result = count > 0 ? iconv(converter->descriptor, &from, &left, &to, &room)
                            : iconv(converter->descriptor, NULL, NULL, &to, &room);
  int reason = result == (size_t)-1 ? errno : 0;
  *consumed = count - (int32_t)left;
  *written = (int32_t)((uint8_t *)to - target);
  if (reason == E2BIG) return ICU_CONVERTER_MORE;
  // A character that goes on in the next piece, which there must be then.
  if (reason == 0 || (reason == EINVAL && !is_end)) return ICU_CONVERTER_DONE;
  if (reason != EILSEQ && reason != EINVAL) return ICU_CONVERTER_FAILED;
  converter->invalid_count = left > 0;
  if (left > 0) converter->invalid = (uint8_t)*from;
  return ICU_CONVERTER_INVALID;
}

int32_t icu_converter_invalid(icu_converter *converter, uint8_t *bytes) {
  if (converter->invalid_count > 0) bytes[0] = converter->invalid;
  return converter->invalid_count;
}

#else

#include <unicode/ucnv.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>

// A unit of UTF-16 makes three bytes of UTF-8 at most; one unit may be left of the piece before.
enum { UNITS = ICU_CONVERTER_TARGET / 3 - 1 };

struct icu_converter {
  UConverter *converter;
  // The first half of a pair whose second half comes next; 0 for none.
  UChar lead;
};

icu_converter *icu_converter_open(const char *encoding) {
  // ICU has a default for no name.
  if (!*encoding || strlen(encoding) >= UCNV_MAX_CONVERTER_NAME_LENGTH) return NULL;
  UErrorCode status = U_ZERO_ERROR;
  UConverter *own = ucnv_open(encoding, &status);
  if (U_FAILURE(status)) return NULL;
  ucnv_setToUCallBack(own, UCNV_TO_U_CALLBACK_STOP, NULL, NULL, NULL, &status);
  icu_converter *converter = U_SUCCESS(status) ? calloc(1, sizeof *converter) : NULL;
  if (converter) {
    converter->converter = own;
  } else {
    ucnv_close(own);
  }
  return converter;
}

void icu_converter_close(icu_converter *converter) {
  if (!converter) return;
  ucnv_close(converter->converter);
  free(converter);
}

int32_t icu_converter_convert(icu_converter *converter, const uint8_t *source, int32_t count,
                              bool is_end, uint8_t *target, int32_t *consumed, int32_t *written) {
  static const char nothing[1];
  UChar units[UNITS + 1];
  UChar *end = units;
  if (converter->lead) *end++ = converter->lead;
  converter->lead = 0;
  const char *start = count > 0 ? (const char *)source : nothing;
  const char *from = start;
  UErrorCode status = U_ZERO_ERROR;
  ucnv_toUnicode(converter->converter, &end, units + UNITS, &from, start + count, NULL, is_end,
                 &status);
  *consumed = (int32_t)(from - start);
  bool is_full = status == U_BUFFER_OVERFLOW_ERROR;
  int32_t length = (int32_t)(end - units);
  bool may_go_on = is_full || (U_SUCCESS(status) && !is_end);
  if (length > 0 && may_go_on && U16_IS_LEAD(units[length - 1])) converter->lead = units[--length];
  UErrorCode other = U_ZERO_ERROR;
  u_strToUTF8((char *)target, ICU_CONVERTER_TARGET, written, units, length, &other);
  if (U_FAILURE(other)) return ICU_CONVERTER_FAILED;
  if (is_full) return ICU_CONVERTER_MORE;
  if (U_SUCCESS(status)) return ICU_CONVERTER_DONE;
  switch (status) {
  case U_INVALID_CHAR_FOUND:
  case U_ILLEGAL_CHAR_FOUND:
  case U_TRUNCATED_CHAR_FOUND:
  case U_ILLEGAL_ESCAPE_SEQUENCE:
  case U_UNSUPPORTED_ESCAPE_SEQUENCE:
    return ICU_CONVERTER_INVALID;
  default:
    return ICU_CONVERTER_FAILED;
  }
}

int32_t icu_converter_invalid(icu_converter *converter, uint8_t *bytes) {
  int8_t count = 8;
  UErrorCode status = U_ZERO_ERROR;
  ucnv_getInvalidChars(converter->converter, (char *)bytes, &count, &status);
  return U_SUCCESS(status) ? count : 0;
}

#endif
