internal import KVToolCore

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

/// Lines of a file, or of standard input where that is not a terminal.
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
    /// Lines that were pasted at once, and have not had their turn.
    private var pasted: [String] = []

    init(_ editor: LineEditor) { self.editor = editor }

    func next(prompt: String) -> TypedLine {
        guard pasted.isEmpty else { return .line(pasted.removeFirst()) }
        let line = editor.read(prompt: prompt)
        guard case .line(let text) = line else { return line }
        pasted = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return .line(pasted.isEmpty ? "" : pasted.removeFirst())
    }

    /// Forgets the lines that were pasted behind one that has failed.
    func dropPasted() { pasted = [] }
}
