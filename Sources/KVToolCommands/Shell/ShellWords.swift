internal import KVToolCore

/// Splits a line into words like a shell.
///
/// Spaces separate words; `'…'` and `"…"` quote them; a backslash escapes the next character
/// everywhere; adjacent parts form one word; `''` is an empty word.
struct ShellWords {
    /// A word and its range in the line, in bytes.
    struct Word: Equatable {
        var text: String
        var range: Range<Int>
        /// Whether a part of it was quoted or escaped.
        var isQuoted = false
        /// Whether it begins with a tilde that stands for the home directory.
        var isAtHome = false
    }

    /// Why a line is incomplete.
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
    /// Nil if the line is complete.
    private(set) var problem: Problem?

    init(_ line: some StringProtocol) {
        let bytes = Array(line.utf8)
        var position = 0
        while position < bytes.count {
            guard !Self.isSpace(bytes[position]) else {
                position += 1
                continue
            }
            readWord(bytes, &position)
        }
    }

    /// Returns the words, with a leading `~/` expanded to the home directory; throws if the line is
    /// incomplete.
    static func split(_ line: some StringProtocol) throws -> [String] {
        let words = ShellWords(line)
        if let problem = words.problem { throw ToolError(problem.message, status: .usage) }
        return words.words.map { $0.isAtHome ? HomeDirectory.expanded($0.text) : $0.text }
    }

    /// Quotes a text as one word.
    static func quoted(_ text: String) -> String {
        guard !text.isEmpty else { return "''" }
        let start = text.hasPrefix("~/") ? "\\" : ""
        return text.reduce(into: start) { result, character in
            if "\\'\"|> \t;".contains(character) { result.append("\\") }
            result.append(character)
        }
    }

    /// Quotes a path as one word, except for a leading `~/`, which stands for the home directory.
    static func quotedAtHome(_ path: String) -> String {
        guard path.hasPrefix("~/") else { return quoted(path) }
        let rest = path.dropFirst(2)
        return "~/" + (rest.isEmpty ? "" : quoted(String(rest)))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D ~= byte) }

    private mutating func readWord(_ bytes: [UInt8], _ position: inout Int) {
        let start = position
        var text: [UInt8] = []
        var quote: UInt8?
        var isQuoted = false
        while position < bytes.count, quote != nil || !Self.isSpace(bytes[position]) {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\\") {
                isQuoted = true
                guard position < bytes.count else {
                    problem = .lonelyBackslash
                    break
                }
                text.append(bytes[position])
                position += 1
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
                text: word, range: start..<position, isQuoted: isQuoted,
                isAtHome: bytes[start] == UInt8(ascii: "~") && (word == "~" || word.hasPrefix("~/"))
            ))
    }
}

/// Redirects standard output to a file or another program.
struct Redirection {
    private let before: Int32
    private let program: OtherProgram?

    /// Starts the redirection.
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

    /// Ends the redirection, and waits for the program.
    func end() {
        System.restoreStandardOutput(before)
        if let program { Interruption.ignoring { _ = program.wait() } }
    }
}
