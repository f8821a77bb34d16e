package import DocumentStore

/// A file that is read, or standard input.
package final class InputFile {
    /// As messages call it.
    let name: String
    /// In bytes, 0 if it is not known.
    let size: Int
    private let descriptor: Int32

    /// Opens `path`; `-` is standard input.
    package init(path: String) throws {
        if path == "-" {
            (name, size, descriptor) = ("standard input", 0, System.standardInput)
            return
        }
        guard !path.isEmpty else { throw ToolError("the file's path is empty", status: .usage) }
        name = path
        switch System.entry(path) {
        case .directory:
            throw ToolError("\(path) is a directory; a file is needed", status: .cannotOpen)
        case .file(let bytes): size = bytes
        case .nothing, .other: size = 0
        }
        do {
            descriptor = try System.open(path, .reading)
        } catch let failure as System.Failure {
            throw Self.error(failure, path)
        }
    }

    /// What is said of a file or directory that cannot be opened.
    static func error(_ failure: System.Failure, _ path: String) -> ToolError {
        if failure.isMissing { return ToolError("\(path) does not exist", status: .notFound) }
        return ToolError(
            failure.isForbidden
                ? "no permission to read \(path)" : "\(path) cannot be read: \(failure.message)",
            status: .cannotOpen)
    }

    deinit {
        if descriptor != System.standardInput { System.close(descriptor) }
    }

    /// The next bytes; none at the end.
    ///
    /// Throws `CancellationError` where Ctrl-C comes before them.
    package func read(atMost maximum: Int) throws -> [UInt8] {
        while !System.isReadable(descriptor, withinMilliseconds: System.patienceMilliseconds) {
            try Interruption.check()
        }
        do {
            return try [UInt8](unsafeUninitializedCapacity: maximum) { bytes, count in
                count = try System.read(descriptor, into: UnsafeMutableRawBufferPointer(bytes))
            }
        } catch let failure as System.Failure {
            throw ToolError("\(name) cannot be read: \(failure.message)")
        }
    }

    /// All bytes.
    ///
    /// Throws for more than `maximum`, rather than to take all memory.
    package static func contents(of path: String, maximum: Int = 1 << 28) throws -> [UInt8] {
        let file = try InputFile(path: path)
        var contents: [UInt8] = []
        while true {
            let piece = try file.read(atMost: 1 << 16)
            guard !piece.isEmpty else { return contents }
            contents += piece
            guard contents.count <= maximum else {
                throw ToolError("\(file.name) is larger than \(Text.size(maximum))")
            }
        }
    }
}

extension DataFileOptions {
    /// How the tool opens a database. Commands in a shell share what that has open, which they can
    /// only with the same options.
    ///
    /// - Parameter upgrades: whether a file of an older schema may be upgraded.
    package static func tool(
        _ access: Access, timeoutMilliseconds: Int, upgrades: Bool = false
    ) -> DataFileOptions {
        var options = DataFileOptions(access: access)
        options.busyTimeoutMilliseconds = timeoutMilliseconds
        // A tool changes what it is asked to change, and nothing else.
        options.upgrade = upgrades ? .onFirstWrite : .never
        options.maintenance = false
        // Most commands go through the file once; a larger cache would only hold what is done.
        options.cacheKilobytes = 4096
        options.logger = NoteHandler.logger
        return options
    }
}

/// The text of a query, as it stands on a command line.
package enum StatementText {
    /// A query can hardly be longer.
    private static let maximum = 1 << 24

    /// The words with a space between them, as a shell has taken them apart; what a file holds for
    /// `@FILE` alone, standard input for `-` alone.
    ///
    /// Throws for words that say nothing.
    package static func read(_ words: [String]) throws -> String {
        guard words.contains(where: { !$0.allSatisfy(\.isWhitespace) }) else {
            throw ToolError(
                "the statement is empty: give its text, @FILE or - for standard input",
                status: .usage)
        }
        guard words.count == 1, let word = words.first else { return words.joined(separator: " ") }
        if word == "-" { return try contents("-") }
        guard word.hasPrefix("@"), word.utf8.count > 1 else { return word }
        return try contents(String(word.dropFirst()))
    }

    private static func contents(_ path: String) throws -> String {
        let bytes = try InputFile.contents(of: path, maximum: maximum)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ToolError("\(path == "-" ? "standard input" : path) is not UTF-8")
        }
        return text
    }
}
