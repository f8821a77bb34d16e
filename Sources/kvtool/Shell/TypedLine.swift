/// How waiting for a line has ended.
enum TypedLine: Equatable {
    case line(String)
    /// Ctrl-C: what was typed is not meant.
    case dropped
    /// Ctrl-D, or the end of a file.
    case end
}

/// Where the lines of the shell come from.
protocol ShellInput: AnyObject {
    func next(prompt: String) throws -> TypedLine
}

/// Lines of a file, or of standard input where that is no terminal.
final class StreamInput: ShellInput {
    private var reader: LineReader
    /// Whether there is somebody to wait for.
    private let isStandardInput: Bool

    init(path: String) throws {
        reader = try LineReader(path: path)
        isStandardInput = path == "-"
    }

    func next(prompt: String) throws -> TypedLine {
        guard isStandardInput else { return try next() }
        return try Interruption.ending(after: {}, isNew: false) { try next() }
    }

    private func next() throws -> TypedLine {
        let line = try reader.next { bytes in
            let isFromWindows = bytes.last == 0x0D
            return String(decoding: bytes.dropLast(isFromWindows ? 1 : 0), as: UTF8.self)
        }
        return line.map { .line($0) } ?? .end
    }
}

/// Lines that a person types.
final class EditorInput: ShellInput {
    private let editor: LineEditor

    init(_ editor: LineEditor) { self.editor = editor }

    func next(prompt: String) -> TypedLine { editor.read(prompt: prompt) }
}
