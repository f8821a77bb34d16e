// The files of the inspector's pages, as part of the program.
#ifndef INSPECTOR_PAGES_H
#define INSPECTOR_PAGES_H

#include <stddef.h>

struct inspector_page {
    const char *name;
    // The value of Content-Type.
    const char *type;
    const unsigned char *bytes;
    size_t count;
};

size_t inspector_page_count(void);

// A page by its index; null after the last one.
const struct inspector_page *inspector_page_at(size_t index);

#endif
