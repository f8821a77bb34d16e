#include "icu_collator.h"

#include <stdio.h>
#include <stdlib.h>

#if __APPLE__

#include <CoreFoundation/CoreFoundation.h>
#include <string.h>

struct icu_collator {
  CFLocaleRef locale;
  CFStringCompareFlags flags;
  bool is_plain;
};

icu_collator *icu_collator_open(const char *locale, bool case_sensitive, bool diacritic_sensitive) {
  icu_collator *collator = malloc(sizeof(icu_collator));
  if (!collator) return NULL;
  CFStringRef name = CFStringCreateWithCString(NULL, locale, kCFStringEncodingUTF8);
  collator->locale = name ? CFLocaleCreate(NULL, name) : NULL;
  if (name) CFRelease(name);
  collator->flags = kCFCompareNonliteral | kCFCompareWidthInsensitive | kCFCompareLocalized;
  if (!case_sensitive) collator->flags |= kCFCompareCaseInsensitive;
  if (!diacritic_sensitive) collator->flags |= kCFCompareDiacriticInsensitive;
  // CoreFoundation does not tell which letters a language has.
  collator->is_plain = strncmp(locale, "en", 2) == 0 && (!locale[2] || locale[2] == '_');
  if (!collator->locale) {
    free(collator);
    return NULL;
  }
  return collator;
}

void icu_collator_close(icu_collator *collator) {
  if (!collator) return;
  CFRelease(collator->locale);
  free(collator);
}

bool icu_collator_is_plain(const icu_collator *collator) { return collator->is_plain; }

// What is not UTF-8 is taken as Latin-1, in which every byte is a character.
static CFStringRef make_string(const void *text, int32_t count) {
  if (count <= 0 || !text) return CFSTR("");
  CFStringRef string = CFStringCreateWithBytes(NULL, text, count, kCFStringEncodingUTF8, false);
  if (string) return string;
  return CFStringCreateWithBytes(NULL, text, count, kCFStringEncodingISOLatin1, false);
}

int32_t icu_collator_compare(const icu_collator *collator, const void *first, int32_t first_count,
                             const void *second, int32_t second_count) {
  CFStringRef one = make_string(first, first_count);
  CFStringRef other = make_string(second, second_count);
  int32_t result = 0;
  if (one && other) {
    result = (int32_t)CFStringCompareWithOptionsAndLocale(
        one, other, CFRangeMake(0, CFStringGetLength(one)), collator->flags, collator->locale);
  }
  if (one) CFRelease(one);
  if (other) CFRelease(other);
  return result;
}

int32_t icu_collator_key(const icu_collator *collator, const void *text, int32_t count,
                         uint8_t *key, int32_t capacity) {
  CFStringRef string = make_string(text, count);
  if (!string) return 0;
  CFMutableStringRef folded = CFStringCreateMutableCopy(NULL, 0, string);
  CFRelease(string);
  if (!folded) return 0;
  CFStringNormalize(folded, kCFStringNormalizationFormC);
  CFStringFold(folded,
               collator->flags & (kCFCompareCaseInsensitive | kCFCompareDiacriticInsensitive |
                                  kCFCompareWidthInsensitive),
               collator->locale);
  CFRange all = CFRangeMake(0, CFStringGetLength(folded));
  CFIndex used = 0;
  CFStringGetBytes(folded, all, kCFStringEncodingUTF8, '?', false, NULL, 0, &used);
  CFIndex written = 0;
  CFStringGetBytes(folded, all, kCFStringEncodingUTF8, '?', false, key, capacity, &written);
  CFRelease(folded);
  return (int32_t)used;
}

void icu_collator_version(char *text, int32_t capacity) {
  snprintf(text, (size_t)capacity, "CoreFoundation %.2f", kCFCoreFoundationVersionNumber);
}

#else

#include <string.h>
#include <unicode/ucol.h>
#include <unicode/uset.h>
#include <unicode/ustring.h>

struct icu_collator {
  UCollator *collator;
  bool is_plain;
};

// Whether a setting of the locale reorders or ignores ASCII characters.
static bool has_odd_settings(const UCollator *collator, const char *locale) {
  UErrorCode status = U_ZERO_ERROR;
  return strpbrk(locale, "@") || strstr(locale, "-u-") ||
         ucol_getAttribute(collator, UCOL_ALTERNATE_HANDLING, &status) != UCOL_NON_IGNORABLE ||
         ucol_getAttribute(collator, UCOL_CASE_FIRST, &status) != UCOL_OFF ||
         ucol_getAttribute(collator, UCOL_NUMERIC_COLLATION, &status) != UCOL_OFF ||
         U_FAILURE(status);
}

// Whether the locale has a letter of two or more ASCII characters. The root has none.
static bool has_ascii_digraph(const UCollator *collator) {
  UErrorCode status = U_ZERO_ERROR;
  USet *tailored = ucol_getTailoredSet(collator, &status);
  if (U_FAILURE(status) || !tailored) return true;
  bool found = false;
  int32_t count = uset_getItemCount(tailored);
  for (int32_t item = 0; item < count && !found; item++) {
    UChar text[8];
    UChar32 first, last;
    UErrorCode item_status = U_ZERO_ERROR;
    int32_t length = uset_getItem(tailored, item, &first, &last, text, 8, &item_status);
    if (length < 2 || length > 8) continue;
    found = true;
    for (int32_t index = 0; index < length; index++) {
      if (text[index] >= 0x80) found = false;
    }
  }
  uset_close(tailored);
  return found;
}

// Rules for the characters that LiteCore's order of ASCII has elsewhere than ICU; returns how many
// units there are.
static int32_t ascii_rules(UChar *rules) {
  int32_t count = 0;
  for (const char *next = "&' '<'`'<'^'&z"; *next; next++) rules[count++] = (UChar)*next;
  for (UChar control = 0; control < 128; control++) {
    bool is_space = control == '\t' || control == '\n' || control == '\r';
    if (is_space || (control >= 32 && control != 127)) continue;
    rules[count++] = '<';
    rules[count++] = '\'';
    rules[count++] = control;
    rules[count++] = '\'';
  }
  return count;
}

// Building a collator from more rules than these, as of Chinese, takes a tenth of a second.
enum { longest_rules = 5000, longest_ascii_rules = 256 };

// The collator with the rules for ASCII; NULL if there can be none.
static UCollator *with_ascii_rules(const UCollator *collator) {
  int32_t length = 0;
  const UChar *rules = ucol_getRules(collator, &length);
  if (length > longest_rules) return NULL;
  UChar *all = malloc(((size_t)length + longest_ascii_rules) * sizeof(UChar));
  if (!all) return NULL;
  if (length > 0) memcpy(all, rules, (size_t)length * sizeof(UChar));
  length += ascii_rules(all + length);
  UErrorCode status = U_ZERO_ERROR;
  UParseError error;
  UCollator *result = ucol_openRules(all, length, UCOL_DEFAULT, UCOL_TERTIARY, &error, &status);
  free(all);
  if (U_SUCCESS(status)) return result;
  if (result) ucol_close(result);
  return NULL;
}

static bool set_strength(UCollator *collator, bool case_sensitive, bool diacritic_sensitive) {
  UErrorCode status = U_ZERO_ERROR;
  if (!diacritic_sensitive) {
    ucol_setStrength(collator, UCOL_PRIMARY);
    if (case_sensitive) ucol_setAttribute(collator, UCOL_CASE_LEVEL, UCOL_ON, &status);
  } else {
    ucol_setStrength(collator, case_sensitive ? UCOL_TERTIARY : UCOL_SECONDARY);
  }
  return U_SUCCESS(status);
}

icu_collator *icu_collator_open(const char *locale, bool case_sensitive, bool diacritic_sensitive) {
  UErrorCode status = U_ZERO_ERROR;
  UCollator *collator = ucol_open(locale, &status);
  if (U_FAILURE(status)) return NULL;
  icu_collator *result = malloc(sizeof(icu_collator));
  bool is_odd = has_odd_settings(collator, locale);
  UCollator *tailored = is_odd ? NULL : with_ascii_rules(collator);
  bool is_plain = !is_odd && !has_ascii_digraph(collator);
  if (tailored) {
    ucol_close(collator);
    collator = tailored;
  }
  if (!result || !set_strength(collator, case_sensitive, diacritic_sensitive)) {
    free(result);
    ucol_close(collator);
    return NULL;
  }
  result->collator = collator;
  result->is_plain = is_plain;
  return result;
}

void icu_collator_close(icu_collator *collator) {
  if (!collator) return;
  ucol_close(collator->collator);
  free(collator);
}

bool icu_collator_is_plain(const icu_collator *collator) { return collator->is_plain; }

int32_t icu_collator_compare(const icu_collator *collator, const void *first, int32_t first_count,
                             const void *second, int32_t second_count) {
  UErrorCode status = U_ZERO_ERROR;
  return ucol_strcollUTF8(collator->collator, first, first_count, second, second_count, &status);
}

int32_t icu_collator_key(const icu_collator *collator, const void *text, int32_t count,
                         uint8_t *key, int32_t capacity) {
  UChar small[64];
  UChar *units = small;
  if (count <= 0) return 0;
  // A byte of UTF-8 makes one unit of UTF-16 at most.
  if (count > 64 && !(units = malloc((size_t)count * sizeof(UChar)))) return 0;
  UErrorCode status = U_ZERO_ERROR;
  int32_t length = 0;
  u_strFromUTF8WithSub(units, count > 64 ? count : 64, &length, text, count, 0xFFFD, NULL, &status);
  int32_t result = 0;
  if (U_SUCCESS(status)) {
    result = ucol_getSortKey(collator->collator, units, length, key, capacity);
  }
  if (units != small) free(units);
  return result;
}

void icu_collator_version(char *text, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  UVersionInfo version = {0};
  UCollator *collator = ucol_open("", &status);
  if (U_SUCCESS(status)) ucol_getVersion(collator, version);
  if (collator) ucol_close(collator);
  snprintf(text, (size_t)capacity, "ICU %d.%d.%d.%d", version[0], version[1], version[2],
           version[3]);
}

#endif
