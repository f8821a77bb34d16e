internal import KVToolCore

/// The words of a line, as shells take them apart.
///
/// Spaces separate words; `'…'` and `"…"` hold them together; a backslash takes the character after
/// it as it is, everywhere; parts that touch are one word; `''` is an empty one.
struct ShellWords {
    /// A word, and where it stands, in bytes of the line.
    struct Word: Equatable {
        var text: String
        var range: Range<Int>
        /// Whether a part of it was in quotes or behind a backslash.
        var isQuoted = false
        /// Whether it begins with a tilde that stands for the home directory.
        var isAtHome = false
    }

    /// What is missing at the line's end.
    enum Problem: Equatable {
        case openQuote(Character)
        case lonelyBackslash

        var message: String {
            switch self {
            case .openQuote(let quote): "the quote \(quote) is not closed"
            case .lonelyBackslash: "nothing follows the backslash at the end of the line"
            }
        }
    }

    private(set) var words: [Word] = []
    /// Nil for a whole line.
    private(set) var problem: Problem?

    init(_ line: some StringProtocol) {
        let bytes = Array(line.utf8)
        var place = 0
        while place < bytes.count {
            guard !Self.isSpace(bytes[place]) else {
                place += 1
                continue
            }
            readWord(bytes, &place)
        }
    }

    /// The words, `~/` at the head of one being the home directory; throws for a line that is not
    /// whole.
    static func split(_ line: some StringProtocol) throws -> [String] {
        let words = ShellWords(line)
        if let problem = words.problem { throw ToolError(problem.message, status: .usage) }
        return words.words.map { $0.isAtHome ? HomeDirectory.expanded($0.text) : $0.text }
    }

    /// A text as one word that means it.
    static func quoted(_ text: String) -> String {
        guard !text.isEmpty else { return "''" }
        let start = text.hasPrefix("~/") ? "\\" : ""
        return text.reduce(into: start) { result, character in
            if "\\'\"|> \t;".contains(character) { result.append("\\") }
            result.append(character)
        }
    }

    /// A path as one word that means it, `~/` at its head being the home directory.
    static func quotedAtHome(_ path: String) -> String {
        guard path.hasPrefix("~/") else { return quoted(path) }
        let rest = path.dropFirst(2)
        return "~/" + (rest.isEmpty ? "" : quoted(String(rest)))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D ~= byte) }

    private mutating func readWord(_ bytes: [UInt8], _ place: inout Int) {
        let start = place
        var text: [UInt8] = []
        var quote: UInt8?
        var isQuoted = false
        while place < bytes.count, quote != nil || !Self.isSpace(bytes[place]) {
            let byte = bytes[place]
            place += 1
            if byte == UInt8(ascii: "\\") {
                isQuoted = true
                guard place < bytes.count else {
                    problem = .lonelyBackslash
                    break
                }
                text.append(bytes[place])
                place += 1
            } else if byte == quote {
                quote = nil
            } else if quote == nil, byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
                isQuoted = true
            } else {
                text.append(byte)
            }
        }
        if let quote, problem == nil { problem = .openQuote(Character(Unicode.Scalar(quote))) }
        let word = String(decoding: text, as: UTF8.self)
        words.append(
            Word(
                text: word, range: start..<place, isQuoted: isQuoted,
                isAtHome: bytes[start] == UInt8(ascii: "~") && (word == "~" || word.hasPrefix("~/"))
            ))
    }
}

/// Standard output that goes to a file or another program for a while.
struct Redirection {
    private let before: Int32
    private let program: OtherProgram?

    /// Begins with it.
    init(_ output: ShellInstruction.Output) throws {
        switch output {
        case .pipe(let command):
            let pipe = try ProgramPipe()
            defer {
                System.close(pipe.reading)
                System.close(pipe.writing)
            }
            program = try OtherProgram(shell: command, input: pipe.reading)
            before = try System.redirectStandardOutput(to: pipe.writing)
        case .file(let path, let appends):
            program = nil
            try OutputDestination.requireOutsideOfDatabases(path)
            do {
                let file = try System.open(path, appends ? .appending : .replacing)
                defer { System.close(file) }
                before = try System.redirectStandardOutput(to: file)
            } catch let failure as System.Failure {
                throw ToolError(
                    "\(path) cannot be written: \(failure.message)", status: .cannotOpen)
            }
        }
    }

    /// Ends it, and waits for the program.
    func end() {
        System.restoreStandardOutput(before)
        if let program { Interruption.ignoring { _ = program.wait() } }
    }
}
