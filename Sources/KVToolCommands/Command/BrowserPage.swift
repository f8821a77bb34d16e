internal import KVToolCore

/// A page that leads a browser to a URL with a token. The arguments of programs can be read by all
/// users of a machine; this file only by its own. It exists as long as the value.
final class BrowserPage: Sendable {
    private let path: String

    /// Writes the file.
    init(_ url: String) throws {
        let html = """
            <!doctype html><meta charset="utf-8"><title>Inspector</title>
            <meta http-equiv="refresh" content="0; url=\(url)">
            <a href="\(url)">Inspector</a>
            """
        path = try TemporaryFile.create(Array(html.utf8), name: "inspector.html")
    }

    deinit { System.remove(path) }

    /// Opens it in the browser of the person at this machine; without one the printed URL remains.
    func show() {
        #if os(macOS)
            let command = "open"
        #else
            let command = "xdg-open >/dev/null 2>&1"
        #endif
        _ = try? OtherProgram(shell: command, [path])
    }
}
