package import DocumentStore

/// An input file, or standard input.
package final class InputFile {
    /// The name of the file for messages.
    let name: String
    /// The size in bytes, 0 if unknown.
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
            throw ToolError("\(path) is a directory, not a file", status: .cannotOpen)
        case .file(let bytes): size = bytes
        case .nothing, .other: size = 0
        }
        do {
            descriptor = try System.open(path, .reading)
        } catch let failure as System.Failure {
            throw Self.error(failure, path)
        }
    }

    /// The error for a file or directory that cannot be opened.
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

    /// Returns the next bytes; empty at the end.
    ///
    /// - Throws: `CancellationError` on Ctrl-C while waiting.
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

    /// Reads the whole file.
    ///
    /// - Throws: an error if it is larger than `maximum` bytes.
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
    /// The options with which the tool opens databases. Commands in a shell share the shell's open
    /// database, which requires the same options.
    ///
    /// - Parameter upgrades: whether to upgrade a file with an older schema.
    package static func tool(
        _ access: Access, timeoutMilliseconds: Int, upgrades: Bool = false
    ) -> DataFileOptions {
        var options = DataFileOptions(access: access)
        options.busyTimeoutMilliseconds = timeoutMilliseconds
        // The tool changes only what the command requests.
        options.upgrade = upgrades ? .onFirstWrite : .never
        options.maintenance = false
        // Most commands read the file once, so a larger cache would not be reused.
        options.cacheKilobytes = 4096
        options.logger = NoteHandler.logger
        return options
    }
}

/// The text of a query from the command line.
package enum StatementText {
    /// The maximum size of a query file.
    private static let maximum = 1 << 24

    /// Joins the words with spaces; a single `@FILE` or `-` reads a file or standard input.
    ///
    /// - Throws: an error if the text is empty.
    package static func read(_ words: [String]) throws -> String {
        guard words.contains(where: { !$0.allSatisfy(\.isWhitespace) }) else {
            throw ToolError(
                "the statement is empty; specify its text, @FILE, or - for standard input",
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
