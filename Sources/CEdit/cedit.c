#include "cedit.h"

#include <histedit.h>
#include <langinfo.h>
#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

struct cedit {
  EditLine *line;
  History *history;
  char *text;    // what the last read has returned
  char *prompt;  // of the read that is under way
  cedit_completer completer;
  void *context;
  bool was_dropped;
  bool has_listed;
};

// Before the editor changed it.
static struct termios terminal_before;
static volatile bool has_terminal_before;

static cedit *owner(EditLine *line) {
  void *data = NULL;
  el_get(line, EL_CLIENTDATA, &data);
  return data;
}

static char *current_prompt(EditLine *line) { return owner(line)->prompt; }

static unsigned char drop_line(EditLine *line, int character) {
  (void)character;
  owner(line)->was_dropped = true;
  fputs("^C\n", stdout);
  fflush(stdout);
  return CC_EOF;
}

static unsigned char complete(EditLine *line, int character) {
  (void)character;
  cedit *editor = owner(line);
  if (!editor->completer) return CC_ERROR;
  const LineInfo *info = el_line(line);
  // A copy, since an insertion changes it.
  size_t count = (size_t)(info->lastchar - info->buffer);
  size_t before = (size_t)(info->cursor - info->buffer);
  char *text = malloc(count + 1);
  if (!text) return CC_ERROR;
  memcpy(text, info->buffer, count);
  text[count] = 0;
  editor->has_listed = false;
  editor->completer(editor->context, editor, text, before);
  free(text);
  return editor->has_listed ? CC_REDISPLAY : CC_REFRESH;
}

// What makes a terminal put marks around what is pasted, and no more; what stands behind it then.
static const char begin_marks[] = "\033[?2004h";
static const char end_marks[] = "\033[?2004l";
static const char paste_end[] = "\033[201~";

// More is not put into a line.
enum { maximum_paste = 1 << 24, paste_patience_milliseconds = 2000 };

static bool knows_marks(void) {
  const char *term = getenv("TERM");
  return term && *term && strcmp(term, "dumb") != 0;
}

static bool read_byte(char *byte) {
  for (;;) {
    struct pollfd waiting = {.fd = STDIN_FILENO, .events = POLLIN};
    int ready = poll(&waiting, 1, paste_patience_milliseconds);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    ssize_t count = read(STDIN_FILENO, byte, 1);
    if (count < 0 && errno == EINTR) continue;
    return count == 1;
  }
}

// What is pasted, up to the mark behind it; lines end with \n, the last one has no end, and there
// are no control characters.
static char *read_paste(void) {
  size_t count = 0, size = 4096;
  const size_t mark = sizeof(paste_end) - 1;
  char *text = malloc(size);
  while (text && read_byte(&text[count])) {
    if (count < maximum_paste) count++;
    if (count >= mark && memcmp(text + count - mark, paste_end, mark) == 0) {
      count -= mark;
      break;
    }
    if (count + 1 < size) continue;
    char *larger = realloc(text, size *= 2);
    if (!larger) free(text);
    text = larger;
  }
  if (!text) return NULL;
  size_t kept = 0;
  for (size_t index = 0; index < count; index++) {
    unsigned char byte = (unsigned char)text[index];
    if (byte == '\r' || byte == '\n') {
      // The end of a line from Windows is two characters; editline lets the terminal swap them.
      char other = byte == '\r' ? '\n' : '\r';
      if (index + 1 < count && text[index + 1] == other) index++;
      byte = '\n';
    }
    if ((byte >= 0x20 && byte != 0x7F) || byte == '\n' || byte == '\t') text[kept++] = (char)byte;
  }
  while (kept > 0 && text[kept - 1] == '\n') kept--;
  text[kept] = 0;
  return text;
}

static unsigned char insert_paste(EditLine *line, int character) {
  (void)character;
  char *text = read_paste();
  if (!text) return CC_ERROR;
  int failed = *text ? el_insertstr(line, text) : 0;
  free(text);
  return failed ? CC_ERROR : CC_REFRESH;
}

// Beyond ASCII the editor knows the characters of the locale, and everything here is UTF-8.
static void use_utf8(void) {
  setlocale(LC_CTYPE, "");
  if (strcmp(nl_langinfo(CODESET), "UTF-8") == 0) return;
  if (!setlocale(LC_CTYPE, "C.UTF-8")) setlocale(LC_CTYPE, "UTF-8");
}

cedit *cedit_open(const char *program, int32_t history_lines) {
  cedit *editor = calloc(1, sizeof(cedit));
  if (!editor) return NULL;
  use_utf8();
  has_terminal_before = tcgetattr(STDIN_FILENO, &terminal_before) == 0;
  editor->history = history_init();
  editor->line = has_terminal_before ? el_init(program, stdin, stdout, stderr) : NULL;
  if (!editor->line || !editor->history) {
    cedit_close(editor);
    return NULL;
  }
  HistEvent event;
  history(editor->history, &event, H_SETSIZE, (int)history_lines);
  history(editor->history, &event, H_SETUNIQUE, 1);
  EditLine *line = editor->line;
  el_set(line, EL_CLIENTDATA, editor);
  el_set(line, EL_EDITOR, "emacs");
  el_set(line, EL_SIGNAL, 0);
  el_set(line, EL_PROMPT_ESC, current_prompt, '\1');
  el_set(line, EL_HIST, history, editor->history);
  el_set(line, EL_ADDFN, "drop-line", "Drops the line", drop_line);
  el_set(line, EL_ADDFN, "complete-word", "Completes the word", complete);
  // Ctrl-C is a key while a line is read: its signal goes to a thread that ends what runs.
  el_set(line, EL_SETTY, "-d", "-isig", NULL);
  el_set(line, EL_BIND, "^C", "drop-line", NULL);
  el_set(line, EL_BIND, "^I", "complete-word", NULL);
  el_set(line, EL_ADDFN, "insert-paste", "Inserts what is pasted", insert_paste);
  el_set(line, EL_BIND, "\\e[200~", "insert-paste", NULL);
  el_set(line, EL_BIND, "^R", "em-inc-search-prev", NULL);
  return editor;
}

void cedit_close(cedit *editor) {
  if (!editor) return;
  if (editor->line) el_end(editor->line);
  if (editor->history) history_end(editor->history);
  free(editor->text);
  free(editor);
}

void cedit_set_completer(cedit *editor, cedit_completer completer, void *context) {
  editor->completer = completer;
  editor->context = context;
}

void cedit_remember(cedit *editor, const char *line) {
  HistEvent event;
  history(editor->history, &event, H_ENTER, line);
}

cedit_end cedit_read(cedit *editor, const char *prompt, const char **line) {
  int count = 0;
  *line = NULL;
  free(editor->text);
  editor->text = NULL;
  editor->prompt = strdup(prompt);
  if (!editor->prompt) return CEDIT_CLOSED;
  editor->was_dropped = false;
  // The window may have another size by now.
  el_resize(editor->line);
  // Before the prompt is there: what is typed at once would be read by the terminal's own editor.
  el_set(editor->line, EL_PREP_TERM, 1);
  bool has_marks = knows_marks();
  if (has_marks) {
    fputs(begin_marks, stdout);
    fflush(stdout);
  }
  const char *read = el_gets(editor->line, &count);
  if (has_marks) {
    fputs(end_marks, stdout);
    fflush(stdout);
  }
  free(editor->prompt);
  editor->prompt = NULL;
  if (editor->was_dropped) return CEDIT_DROPPED;
  if (!read || count <= 0) return CEDIT_CLOSED;
  while (count > 0 && (read[count - 1] == '\n' || read[count - 1] == '\r')) count--;
  editor->text = strndup(read, (size_t)count);
  *line = editor->text;
  return editor->text ? CEDIT_LINE : CEDIT_CLOSED;
}

void cedit_insert(cedit *editor, int32_t replaced_characters, const char *text) {
  if (replaced_characters > 0) el_deletestr(editor->line, replaced_characters);
  el_insertstr(editor->line, text);
}

void cedit_list(cedit *editor, const char *text) {
  editor->has_listed = true;
  fputs("\n", stdout);
  fputs(text, stdout);
  fflush(stdout);
}

void cedit_restore_terminal(void) {
  if (!has_terminal_before) return;
  if (knows_marks()) (void)!write(STDOUT_FILENO, end_marks, sizeof(end_marks) - 1);
  tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal_before);
}
