/// The format that a file's extension indicates.
package enum FileEnding: Equatable {
    /// `.json`: one array, or in a directory, one document per file.
    case json
    /// `.ndjson`, `.jsonl`: one document per line.
    case lines
    case csv, tsv
    case unknown(String)

    /// Returns nil for a name without an extension.
    package init?(_ path: String) {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
            name.index(after: dot) < name.endIndex
        else { return nil }
        switch name[dot...].lowercased() {
        case ".json": self = .json
        case ".ndjson", ".jsonl": self = .lines
        case ".csv": self = .csv
        case ".tsv": self = .tsv
        default: self = .unknown(String(name[dot...]))
        }
    }

    /// The error for a file with an unknown extension.
    ///
    /// - Parameters:
    ///   - advice: the option that specifies the format.
    ///   - isRead: whether the file is an existing input file.
    package static func unknown(
        _ ending: String, _ path: String, _ advice: String, isRead: Bool = false
    ) -> ToolError {
        let rest =
            switch isRead ? ending.lowercased() : "" {
            case ".gz", ".bz2", ".xz", ".zst", ".zip":
                "it is compressed; decompress it and pipe it to -"
            case ".tar", ".dump": "use kvtool load for a dump of kvtool dump; otherwise \(advice)"
            default: advice
            }
        return ToolError(
            "\(Text.line(path)) ends with \(Text.line(ending)), which is not .json (one array or "
                + "document), .ndjson or .jsonl (lines), .csv or .tsv; \(rest)", status: .usage)
    }
}

/// The separator of CSV values, as a command-line argument.
package struct Delimiter: Sendable {
    package let byte: UInt8

    /// Returns nil unless the text is one ASCII character that can separate values.
    package init?(_ text: String) {
        switch text {
        case "tab", "\\t": byte = CSV.tab
        default:
            let bytes = Array(text.utf8)
            guard bytes.count == 1, bytes[0] < 0x80, ![0x00, 0x0A, 0x0D, 0x22].contains(bytes[0])
            else { return nil }
            byte = bytes[0]
        }
    }
}
