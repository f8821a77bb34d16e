/// What the ending of a file of documents says of its form.
package enum FileEnding: Equatable {
    /// `.json`: one array is written, or one document for each file of a directory.
    case json
    /// `.ndjson`, `.jsonl`: a document a line.
    case lines
    case csv, tsv
    case unknown(String)

    /// Nil for a name without an ending.
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

    /// The error of a file whose form is not known.
    ///
    /// - Parameters:
    ///   - advice: the option that says it.
    ///   - isRead: whether it is there, and is to be read.
    package static func unknown(
        _ ending: String, _ path: String, _ advice: String, isRead: Bool = false
    ) -> ToolError {
        let rest =
            switch isRead ? ending.lowercased() : "" {
            case ".gz", ".bz2", ".xz", ".zst", ".zip":
                "it is compressed, and - reads what unpacks it"
            case ".tar", ".dump": "kvtool load reads what kvtool dump has written; else \(advice)"
            default: advice
            }
        return ToolError(
            "\(Text.line(path)) ends with \(Text.line(ending)), which is not .json (one array or "
                + "document), .ndjson or .jsonl (lines), .csv or .tsv; \(rest)", status: .usage)
    }
}

/// The character between the values of a file of values, as it is typed.
package struct Delimiter: Sendable {
    package let byte: UInt8

    /// Nil for what cannot stand between values: more than a character, or none of ASCII.
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
