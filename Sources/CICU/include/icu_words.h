// Where the words of a text are, in languages without spaces too.
#ifndef CICU_WORDS_H
#define CICU_WORDS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct icu_words icu_words;

// Makes what finds words; NULL if there is no memory or no data.
icu_words *_Nullable icu_words_open(void);

void icu_words_close(icu_words *_Nullable words);

// Begins a text of UTF-8, which must stay where it is until the last word.
bool icu_words_begin(icu_words *_Nonnull words, const char *_Nonnull text, int32_t count);

// The next word, in bytes of the text; false at the end. What is between words is left out.
bool icu_words_next(icu_words *_Nonnull words, int32_t *_Nonnull start, int32_t *_Nonnull end);

#endif
