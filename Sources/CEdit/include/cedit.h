// A line that a person types at a terminal: libedit without its types.
#ifndef CEDIT_H
#define CEDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cedit cedit;

// How a call of cedit_read ended.
typedef enum cedit_end {
  CEDIT_LINE = 0,     // with a line
  CEDIT_DROPPED = 1,  // with Ctrl-C
  CEDIT_CLOSED = 2,   // with Ctrl-D in an empty line, or the terminal is gone
} cedit_end;

// Is asked at the Tab key: the line, and how many of its bytes are before the cursor. It answers
// with calls of cedit_insert and cedit_list.
typedef void (*cedit_completer)(void *_Nullable context, cedit *_Nonnull editor,
                                const char *_Nonnull line, size_t before);

// An editor on the terminal that the standard streams are; NULL if there is no memory, or the
// streams are no terminal that it knows.
cedit *_Nullable cedit_open(const char *_Nonnull program, int32_t history_lines);

void cedit_close(cedit *_Nullable editor);

// Who is asked at the Tab key.
void cedit_set_completer(cedit *_Nonnull editor, cedit_completer _Nullable completer,
                         void *_Nullable context);

// Adds a line to those that the arrow keys bring back.
void cedit_remember(cedit *_Nonnull editor, const char *_Nonnull line);

// Reads a line, or several that are pasted at once, with \n between them. In the prompt, what stands between two bytes 1 takes no room: colours. The line has
// no end of line, and stays until the next call.
cedit_end cedit_read(cedit *_Nonnull editor, const char *_Nonnull prompt,
                     const char *_Nullable *_Nonnull line);

// For a completer: puts text in place of the last characters before the cursor.
void cedit_insert(cedit *_Nonnull editor, int32_t replaced_characters, const char *_Nonnull text);

// For a completer: shows text between the line and the line written anew below it.
void cedit_list(cedit *_Nonnull editor, const char *_Nonnull text);

// Gives the terminal back as it was. For a program that ends while a line is read.
void cedit_restore_terminal(void);

#endif
