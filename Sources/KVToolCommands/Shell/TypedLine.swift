internal import KVToolCore

/// The result of waiting for a line.
enum TypedLine: Equatable {
    case line(String)
    /// Ctrl-C: the input is discarded.
    case dropped
    /// Ctrl-D, or the end of a file.
    case end
}

/// A source of lines for the shell.
protocol ShellInput: AnyObject {
    func next(prompt: String) throws -> TypedLine
}

/// Lines of a file, or of standard input if it is not a terminal.
final class StreamInput: ShellInput {
    private var reader: LineReader
    /// Whether a read can wait for input.
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

/// Lines typed on a terminal.
final class EditorInput: ShellInput {
    private let editor: LineEditor
    /// Pasted lines that have not been executed yet.
    private var pasted: [String] = []

    init(_ editor: LineEditor) { self.editor = editor }

    func next(prompt: String) -> TypedLine {
        guard pasted.isEmpty else { return .line(pasted.removeFirst()) }
        let line = editor.read(prompt: prompt)
        guard case .line(let text) = line else { return line }
        pasted = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return .line(pasted.isEmpty ? "" : pasted.removeFirst())
    }

    /// Discards pasted lines after one that failed.
    func dropPasted() { pasted = [] }
}
