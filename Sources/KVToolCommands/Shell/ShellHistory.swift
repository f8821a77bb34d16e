internal import KVToolCore
internal import SQLCore

/// The history of the shell, in a file that only this user can read.
///
/// A line is appended when it is entered, so that several shells can share the file.
struct ShellHistory {
    /// The number of lines to keep.
    static let limit = 10_000
    /// How many more lines the file may have before it is rewritten.
    private static let slack = 2000

    let path: String

    /// Uses the file `KVTOOL_HISTORY`, or `.kvtool_history` in the home directory.
    init?(variable: (String) -> String?) {
        if let path = variable("KVTOOL_HISTORY") {
            self.path = path
        } else if let home = variable("HOME") {
            path = "\(home)/.kvtool_history"
        } else {
            return nil
        }
    }

    init(path: String) { self.path = path }

    /// Whether a line may be stored: it contains no secret, and does not begin with a space, which
    /// excludes it.
    static func mayKeep(_ line: String) -> Bool {
        guard let first = line.first, !first.isWhitespace else { return false }
        return !holdsSecret(line)
    }

    /// Whether a text contains a secret: as the value of an option, however quoted, or of a
    /// variable, or in a statement that gives a key to a file.
    static func holdsSecret(_ text: String) -> Bool {
        let namesVariable = OtherProgram.secretVariables.contains(where: text.contains)
        if namesVariable || SQLRedaction.mayHoldKey(text) { return true }
        return text.split(whereSeparator: \.isWhitespace).contains { word in
            let plain = word.utf8.filter { !quotes.contains($0) }
            let option = String(decoding: plain.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
            return HiddenKeys.isOption(option) || others.contains(option)
                || HiddenKeys.offset(in: String(decoding: plain, as: UTF8.self)) != nil
        }
    }

    private static let quotes = Array(#"'"\"#.utf8)
    /// Options of other programs.
    private static let others: Set = ["--password", "--passphrase", "--token", "--user"]

    /// The lines to store for a text: one, unless it contains a comment, which would hide the rest.
    static func lines(of text: String) -> [String] {
        let lines = text.split(separator: "\n").map(String.init)
        guard lines.count > 1, !text.contains("--") else { return lines }
        return [lines.map(ShellParser.trimmed).joined(separator: " ")]
    }

    /// Returns the lines, oldest first; none if the file does not exist.
    func load() throws -> [String] {
        // A device such as /dev/null must keep its permissions.
        guard case .file = System.entry(path) else { return [] }
        try System.makePrivate(path)
        var reader = try LineReader(path: path)
        var lines: [String] = []
        var count = 0
        while let line = try reader.next({ String(decoding: $0, as: UTF8.self) }) {
            guard !line.isEmpty else { continue }
            lines.append(line)
            count += 1
            if lines.count >= 2 * Self.limit { lines.removeFirst(Self.limit) }
        }
        lines = lines.suffix(Self.limit)
        if count > Self.limit + Self.slack { try replace(lines) }
        return lines
    }

    /// Appends a line, which must not contain a line break.
    func add(_ line: String) throws {
        // Opening a FIFO blocks without a reader.
        guard !System.isFIFO(path) else { return }
        let file = try System.open(path, .appending)
        defer { System.close(file) }
        try Array((line + "\n").utf8).withUnsafeBytes { try System.write(file, $0) }
    }

    private func replace(_ lines: [String]) throws {
        let other = path + ".new"
        System.remove(other)
        let file = try System.open(other, .creating)
        defer { System.close(file) }
        let text = lines.map { $0 + "\n" }.joined()
        try Array(text.utf8).withUnsafeBytes { try System.write(file, $0) }
        try System.move(other, to: path)
    }
}
