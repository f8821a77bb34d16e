#include "icu_regex.h"

#include <stdlib.h>
#include <string.h>

#if !defined(__APPLE__)

#include <unicode/uregex.h>
#include <unicode/utext.h>

// ICU counts in steps of about a millisecond.
enum { TICKS_OF_A_SEARCH = 500, TICKS_OF_A_TEXT = 2000, BACKTRACKING_BYTES = 4 << 20 };

struct store_regex {
  URegularExpression *expression;
  UText text;
  int32_t ticks;
};

// Called after each tick of a search.
static UBool U_CALLCONV count_tick(const void *context, int32_t steps) {
  store_regex *regex = (store_regex *)context;
  (void)steps;
  regex->ticks += 1;
  return regex->ticks <= TICKS_OF_A_TEXT;
}

store_regex *store_regex_open(const char *pattern, int32_t length) {
  store_regex *regex = calloc(1, sizeof *regex);
  if (!regex) return NULL;
  // ICU takes no empty pattern; this one, too, matches nothing anywhere.
  if (length == 0) {
    pattern = "(?:)";
    length = 4;
  }
  UErrorCode status = U_ZERO_ERROR;
  UText source = UTEXT_INITIALIZER;
  utext_openUTF8(&source, pattern, length, &status);
  UParseError place;
  regex->expression = uregex_openUText(&source, 0, &place, &status);
  utext_close(&source);
  uregex_setTimeLimit(regex->expression, TICKS_OF_A_SEARCH, &status);
  uregex_setStackLimit(regex->expression, BACKTRACKING_BYTES, &status);
  uregex_setMatchCallback(regex->expression, count_tick, regex, &status);
  regex->text = (UText)UTEXT_INITIALIZER;
  if (U_SUCCESS(status)) return regex;
  if (regex->expression) uregex_close(regex->expression);
  free(regex);
  return NULL;
}

void store_regex_close(store_regex *regex) {
  if (!regex) return;
  uregex_close(regex->expression);
  utext_close(&regex->text);
  free(regex);
}

int32_t store_regex_use(store_regex *regex, const char *text, int32_t length) {
  UErrorCode status = U_ZERO_ERROR;
  utext_openUTF8(&regex->text, text, length, &status);
  uregex_setUText(regex->expression, &regex->text, &status);
  regex->ticks = 0;
  return U_SUCCESS(status) ? STORE_REGEX_FOUND : STORE_REGEX_FAILED;
}

static int32_t outcome(UBool found, UErrorCode status) {
  if (U_SUCCESS(status)) return found ? STORE_REGEX_FOUND : STORE_REGEX_NONE;
  switch (status) {
  case U_REGEX_TIME_OUT:
  case U_REGEX_STACK_OVERFLOW:
  case U_REGEX_STOPPED_BY_CALLER:
    return STORE_REGEX_STOPPED;
  default:
    return STORE_REGEX_FAILED;
  }
}

int32_t store_regex_find(store_regex *regex, int32_t from) {
  UErrorCode status = U_ZERO_ERROR;
  UBool found = uregex_find64(regex->expression, from, &status);
  return outcome(found, status);
}

int32_t store_regex_match(store_regex *regex) {
  UErrorCode status = U_ZERO_ERROR;
  UBool found = uregex_matches64(regex->expression, 0, &status);
  return outcome(found, status);
}

void store_regex_group(store_regex *regex, int32_t group, int32_t *start, int32_t *end) {
  UErrorCode status = U_ZERO_ERROR;
  *start = uregex_start(regex->expression, group, &status);
  *end = uregex_end(regex->expression, group, &status);
  if (U_FAILURE(status)) *start = *end = -1;
}

int32_t store_regex_group_count(store_regex *regex) {
  UErrorCode status = U_ZERO_ERROR;
  int32_t count = uregex_groupCount(regex->expression, &status);
  return U_SUCCESS(status) ? count : 0;
}

#else

// Apple's systems have no ICU to link with. Their own engine does not backtrack, so it needs no
// limits; its syntax with REG_ENHANCED has the escapes and groups of the other one.
#include <regex.h>

struct store_regex {
  regex_t expression;
  const char *text;
  int32_t length;
  size_t group_count;
  regmatch_t *groups;
};

store_regex *store_regex_open(const char *pattern, int32_t length) {
  store_regex *regex = calloc(1, sizeof *regex);
  if (length == 0) {
    pattern = "()";
    length = 2;
  }
  char *copy = malloc((size_t)length + 1);
  if (!regex || !copy || memchr(pattern, 0, (size_t)length)) {
    free(regex);
    free(copy);
    return NULL;
  }
  memcpy(copy, pattern, (size_t)length);
  copy[length] = 0;
  int code = regcomp(&regex->expression, copy, REG_EXTENDED | REG_ENHANCED);
  free(copy);
  if (code != 0) {
    free(regex);
    return NULL;
  }
  regex->group_count = regex->expression.re_nsub;
  regex->groups = calloc(regex->group_count + 1, sizeof(regmatch_t));
  if (!regex->groups) {
    regfree(&regex->expression);
    free(regex);
    return NULL;
  }
  return regex;
}

void store_regex_close(store_regex *regex) {
  if (!regex) return;
  regfree(&regex->expression);
  free(regex->groups);
  free(regex);
}

int32_t store_regex_use(store_regex *regex, const char *text, int32_t length) {
  regex->text = text;
  regex->length = length;
  return STORE_REGEX_FOUND;
}

int32_t store_regex_find(store_regex *regex, int32_t from) {
  if (from < 0 || from > regex->length) return STORE_REGEX_NONE;
  regex->groups[0].rm_so = from;
  regex->groups[0].rm_eo = regex->length;
  int flags = REG_STARTEND | (from > 0 ? REG_NOTBOL : 0);
  int code = regexec(&regex->expression, regex->text, regex->group_count + 1, regex->groups, flags);
  if (code == REG_NOMATCH) return STORE_REGEX_NONE;
  return code == 0 ? STORE_REGEX_FOUND : STORE_REGEX_STOPPED;
}

// The leftmost match is the longest one, so a match of the whole text is what is found at 0.
int32_t store_regex_match(store_regex *regex) {
  int32_t found = store_regex_find(regex, 0);
  if (found != STORE_REGEX_FOUND) return found;
  int whole = regex->groups[0].rm_so == 0 && regex->groups[0].rm_eo == regex->length;
  return whole ? STORE_REGEX_FOUND : STORE_REGEX_NONE;
}

void store_regex_group(store_regex *regex, int32_t group, int32_t *start, int32_t *end) {
  *start = *end = -1;
  if (group < 0 || (size_t)group > regex->group_count) return;
  *start = (int32_t)regex->groups[group].rm_so;
  *end = (int32_t)regex->groups[group].rm_eo;
}

int32_t store_regex_group_count(store_regex *regex) { return (int32_t)regex->group_count; }

#endif
