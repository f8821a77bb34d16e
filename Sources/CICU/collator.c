#include "icu_collator.h"

#include <stdio.h>
#include <stdlib.h>

#if __APPLE__

#include <CoreFoundation/CoreFoundation.h>
#include <string.h>

struct icu_collator {
  CFLocaleRef locale;
  CFStringCompareFlags flags;
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

#include <unicode/ucol.h>
#include <unicode/ustring.h>

icu_collator *icu_collator_open(const char *locale, bool case_sensitive, bool diacritic_sensitive) {
  UErrorCode status = U_ZERO_ERROR;
  UCollator *collator = ucol_open(locale, &status);
  if (U_FAILURE(status)) return NULL;
  if (!diacritic_sensitive) {
    ucol_setStrength(collator, UCOL_PRIMARY);
    if (case_sensitive) ucol_setAttribute(collator, UCOL_CASE_LEVEL, UCOL_ON, &status);
  } else {
    ucol_setStrength(collator, case_sensitive ? UCOL_TERTIARY : UCOL_SECONDARY);
  }
  if (U_FAILURE(status)) {
    ucol_close(collator);
    return NULL;
  }
  return (icu_collator *)collator;
}

void icu_collator_close(icu_collator *collator) {
  if (collator) ucol_close((UCollator *)collator);
}

int32_t icu_collator_compare(const icu_collator *collator, const void *first, int32_t first_count,
                             const void *second, int32_t second_count) {
  UErrorCode status = U_ZERO_ERROR;
  return ucol_strcollUTF8((const UCollator *)collator, first, first_count, second, second_count,
                          &status);
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
    result = ucol_getSortKey((const UCollator *)collator, units, length, key, capacity);
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
