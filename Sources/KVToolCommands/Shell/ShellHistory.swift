internal import KVToolCore
internal import SQLCore

/// The lines that were typed into the shell, in a file that only this user can read.
///
/// A line is added when it is entered, so that several shells can share the file and none is lost.
struct ShellHistory {
    /// So many lines are kept.
    static let limit = 10_000
    /// How many more the file may have before it is rewritten.
    private static let slack = 2000

    let path: String

    /// The file: `KVTOOL_HISTORY`, or `.kvtool_history` in the user's directory.
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

    /// Whether a line may be written down: it holds no secret, and no space before it says that it
    /// may not.
    static func mayKeep(_ line: String) -> Bool {
        guard let first = line.first, !first.isWhitespace else { return false }
        return !holdsSecret(line)
    }

    /// Whether a text has a secret in it: as the value of an option, however it is quoted, or of
    /// a variable, or in a statement that gives a key to a file.
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

    /// What is kept of a text: one line, unless a comment is in it, which would swallow the rest.
    static func lines(of text: String) -> [String] {
        let lines = text.split(separator: "\n").map(String.init)
        guard lines.count > 1, !text.contains("--") else { return lines }
        return [lines.map(ShellParser.trimmed).joined(separator: " ")]
    }

    /// The lines, the oldest first; none if there is no file.
    func load() throws -> [String] {
        // A device, as /dev/null, is nobody's own.
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

    /// Adds a line, which has no line's end in it.
    func add(_ line: String) throws {
        // Nobody may read from it.
        guard !System.isFIFO(path) else { return }
        let file = try System.open(path, .appending)
        defer { System.close(file) }
        try Array((line + "\n").utf8).withUnsafeBytes { try System.write(file, $0) }
    }

    private func replace(_ lines: [String]) throws {
        let other = path + ".new"
        System.remove(other)
        let file = try System.open(other, .making)
        defer { System.close(file) }
        let text = lines.map { $0 + "\n" }.joined()
        try Array(text.utf8).withUnsafeBytes { try System.write(file, $0) }
        try System.move(other, to: path)
    }
}
