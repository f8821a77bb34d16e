// What the store needs of ICU, or of Apple's own libraries: no type of theirs is seen here, since
// ICU's headers cannot be imported beside Foundation's.
#ifndef CICU_H
#define CICU_H

#include "icu_collator.h"
#include "icu_converter.h"
#include "icu_words.h"
#if __has_include("icu_regex.h")
#include "icu_regex.h"
#endif

#endif
