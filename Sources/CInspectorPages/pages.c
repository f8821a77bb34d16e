#include "inspector_pages.h"

// The files of the directory Web, and the description of the requests. Tests check that none is
// missing.

// Clang has #embed of C23 in earlier standards, too.
#if defined(__has_warning)
#if __has_warning("-Wc23-extensions")
#pragma clang diagnostic ignored "-Wc23-extensions"
#endif
#endif

// What all views use, and the first ones: a request for each of them would delay the first view.
static const unsigned char app_js[] = {
#embed "Web/core/format.js"
,
#embed "Web/core/json.js"
,
#embed "Web/core/dom.js"
,
#embed "Web/core/api.js"
,
#embed "Web/core/table.js"
,
#embed "Web/core/tree.js"
,
#embed "Web/core/shell.js"
,
#embed "Web/core/keys.js"
,
#embed "Web/core/documents.js"
,
#embed "Web/core/overview.js"
,
#embed "Web/core/app.js"
};
static const unsigned char blobs_js[] = {
#embed "Web/blobs.js"
};
static const unsigned char changes_js[] = {
#embed "Web/changes.js"
};
static const unsigned char conflicts_js[] = {
#embed "Web/conflicts.js"
};
static const unsigned char diff_js[] = {
#embed "Web/diff.js"
};
static const unsigned char document_js[] = {
#embed "Web/document.js"
};
static const unsigned char editor_js[] = {
#embed "Web/editor.js"
};
static const unsigned char graph_js[] = {
#embed "Web/graph.js"
};
static const unsigned char icon_svg[] = {
#embed "Web/icon.svg"
};
static const unsigned char import_js[] = {
#embed "Web/import.js"
};
static const unsigned char index_html[] = {
#embed "Web/index.html"
};
static const unsigned char indexes_js[] = {
#embed "Web/indexes.js"
};
static const unsigned char openapi_json[] = {
#embed "openapi.json"
};
static const unsigned char plan_js[] = {
#embed "Web/plan.js"
};
static const unsigned char query_js[] = {
#embed "Web/query.js"
};
static const unsigned char results_js[] = {
#embed "Web/results.js"
};
static const unsigned char revisions_js[] = {
#embed "Web/revisions.js"
};
static const unsigned char schema_js[] = {
#embed "Web/schema.js"
};
static const unsigned char search_js[] = {
#embed "Web/search.js"
};
static const unsigned char storage_js[] = {
#embed "Web/storage.js"
};
static const unsigned char style_css[] = {
#embed "Web/style.css"
};
static const unsigned char theme_js[] = {
#embed "Web/theme.js"
};

static const struct inspector_page pages[] = {
    {"app.js", "text/javascript; charset=utf-8", app_js, sizeof app_js},
    {"blobs.js", "text/javascript; charset=utf-8", blobs_js, sizeof blobs_js},
    {"changes.js", "text/javascript; charset=utf-8", changes_js, sizeof changes_js},
    {"conflicts.js", "text/javascript; charset=utf-8", conflicts_js, sizeof conflicts_js},
    {"diff.js", "text/javascript; charset=utf-8", diff_js, sizeof diff_js},
    {"document.js", "text/javascript; charset=utf-8", document_js, sizeof document_js},
    {"editor.js", "text/javascript; charset=utf-8", editor_js, sizeof editor_js},
    {"graph.js", "text/javascript; charset=utf-8", graph_js, sizeof graph_js},
    {"icon.svg", "image/svg+xml", icon_svg, sizeof icon_svg},
    {"import.js", "text/javascript; charset=utf-8", import_js, sizeof import_js},
    {"index.html", "text/html; charset=utf-8", index_html, sizeof index_html},
    {"indexes.js", "text/javascript; charset=utf-8", indexes_js, sizeof indexes_js},
    {"openapi.json", "application/json", openapi_json, sizeof openapi_json},
    {"plan.js", "text/javascript; charset=utf-8", plan_js, sizeof plan_js},
    {"query.js", "text/javascript; charset=utf-8", query_js, sizeof query_js},
    {"results.js", "text/javascript; charset=utf-8", results_js, sizeof results_js},
    {"revisions.js", "text/javascript; charset=utf-8", revisions_js, sizeof revisions_js},
    {"schema.js", "text/javascript; charset=utf-8", schema_js, sizeof schema_js},
    {"search.js", "text/javascript; charset=utf-8", search_js, sizeof search_js},
    {"storage.js", "text/javascript; charset=utf-8", storage_js, sizeof storage_js},
    {"style.css", "text/css; charset=utf-8", style_css, sizeof style_css},
    {"theme.js", "text/javascript; charset=utf-8", theme_js, sizeof theme_js},
};

size_t inspector_page_count(void) { return sizeof pages / sizeof pages[0]; }

const struct inspector_page *inspector_page_at(size_t index) {
    return index < inspector_page_count() ? &pages[index] : 0;
}
