import Foundation

/// What is never the same twice, or not with every SQLite, in what the tool writes.
enum VolatileText {
    /// A line without it, and without the spaces that put columns in line with it.
    static func masked(_ line: String) -> String {
        var text = line
        for (pattern, name) in patterns {
            text = text.replacingOccurrences(
                of: pattern, with: "<\(name)>", options: .regularExpression)
        }
        text = text.replacingOccurrences(of: "[ ─]+", with: " ", options: .regularExpression)
        return text.trimmingCharacters(in: .whitespaces)
    }

    private static let patterns = [
        ("[0-9a-f]{16}@(\\*|[A-Za-z0-9+/~_-]{22})", "revision"),
        ("\\b[0-9a-f]{32}\\b", "uuid"),
        ("source [A-Za-z0-9+/~_-]{22}", "source"),
        ("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "date"),
        ("\\b1\\d{12}\\b", "date"),
        ("\\bin \\d+ days\\b", "duration"),
        ("\\b\\d+(\\.\\d+)? (µs|ms|s) +\\d+$", "duration, rate"),
        ("\\b\\d+(\\.\\d+)? (µs|ms|s|min|h)\\b( \\d+ (s|min))?", "duration"),
        ("\"\\w*([sS]econds|[rR]ate|[pP]erSecond)\":[0-9.e+-]+", "rate"),
        ("\\b\\d+/s\\b", "rate"),
        ("^(Before|After) .*$", "sizes"),
        ("\\b\\d+(\\.\\d+)? (B|KB|MB|GB)\\b", "size"),
        ("\\b\\d+( free)? pages?\\b", "pages"),
        // Of a dump: revisions, rows of the file's own, the checksum.
        ("\"(v|B|crc32)\":\"[^\"]*\"", "bytes"), ("\"lines\":\\d+", "lines"),
        ("\"\\w*([bB]ytes|[pP]ages)\":\\d{4,}", "size"),
        ("(SQLite: +|\"sqliteVersion\":\")\\d+\\.\\d+\\.\\d+", "SQLite"),
    ]

    /// Whether two outputs are the same but for that; a line `…` of the page stands for any.
    static func isSame(_ written: [String], as page: [String]) -> Bool {
        let (written, page) = (written.map(masked), page.map(masked))
        guard let gap = page.firstIndex(of: "…") else { return written == page }
        let (head, tail) = (page[..<gap], page[(gap + 1)...])
        return written.count >= head.count + tail.count && written.starts(with: head)
            && written.suffix(tail.count).elementsEqual(tail)
    }
}
