#include "icu_words.h"

#include <stdlib.h>

#if __APPLE__

#include <CoreFoundation/CoreFoundation.h>

struct icu_words {
  CFStringRef string;
  CFStringTokenizerRef tokenizer;
  CFIndex units;  // how far the text was measured, in UTF-16
  CFIndex bytes;  // the same place in UTF-8
};

icu_words *icu_words_open(void) { return calloc(1, sizeof(icu_words)); }

static void drop_text(icu_words *words) {
  if (words->tokenizer) CFRelease(words->tokenizer);
  if (words->string) CFRelease(words->string);
  *words = (icu_words){0};
}

void icu_words_close(icu_words *words) {
  if (!words) return;
  drop_text(words);
  free(words);
}

bool icu_words_begin(icu_words *words, const char *text, int32_t count) {
  drop_text(words);
  words->string = CFStringCreateWithBytes(NULL, (const UInt8 *)text, count, kCFStringEncodingUTF8,
                                          false);
  if (!words->string) return false;
  CFRange all = CFRangeMake(0, CFStringGetLength(words->string));
  words->tokenizer = CFStringTokenizerCreate(NULL, words->string, all,
                                             kCFStringTokenizerUnitWord, NULL);
  return words->tokenizer != NULL;
}

// The place in UTF-8 of a place in UTF-16; places only grow.
static int32_t byte_offset(icu_words *words, CFIndex units) {
  CFIndex used = 0;
  CFRange range = CFRangeMake(words->units, units - words->units);
  CFStringGetBytes(words->string, range, kCFStringEncodingUTF8, '?', false, NULL, 0, &used);
  words->units = units;
  words->bytes += used;
  return (int32_t)words->bytes;
}

bool icu_words_next(icu_words *words, int32_t *start, int32_t *end) {
  if (!words->tokenizer) return false;
  if (CFStringTokenizerAdvanceToNextToken(words->tokenizer) == kCFStringTokenizerTokenNone) {
    return false;
  }
  CFRange range = CFStringTokenizerGetCurrentTokenRange(words->tokenizer);
  if (range.location < words->units) return false;
  *start = byte_offset(words, range.location);
  *end = byte_offset(words, range.location + range.length);
  return true;
}

#else

#include <unicode/ubrk.h>
#include <unicode/utext.h>

struct icu_words {
  UBreakIterator *iterator;
  UText text;
};

icu_words *icu_words_open(void) {
  icu_words *words = malloc(sizeof(icu_words));
  if (!words) return NULL;
  UErrorCode status = U_ZERO_ERROR;
  words->text = (UText)UTEXT_INITIALIZER;
  words->iterator = ubrk_open(UBRK_WORD, "", NULL, 0, &status);
  if (U_SUCCESS(status)) return words;
  free(words);
  return NULL;
}

void icu_words_close(icu_words *words) {
  if (!words) return;
  ubrk_close(words->iterator);
  utext_close(&words->text);
  free(words);
}

bool icu_words_begin(icu_words *words, const char *text, int32_t count) {
  UErrorCode status = U_ZERO_ERROR;
  utext_openUTF8(&words->text, text, count, &status);
  ubrk_setUText(words->iterator, &words->text, &status);
  ubrk_first(words->iterator);
  return U_SUCCESS(status);
}

bool icu_words_next(icu_words *words, int32_t *start, int32_t *end) {
  for (;;) {
    int32_t from = ubrk_current(words->iterator);
    int32_t to = ubrk_next(words->iterator);
    if (to == UBRK_DONE) return false;
    if (ubrk_getRuleStatus(words->iterator) < UBRK_WORD_NONE_LIMIT) continue;
    *start = from;
    *end = to;
    return true;
  }
}

#endif
