internal import Synchronization

/// Standard output, buffered, and shown in a pager on a terminal.
package final class StandardOutput: ContextValue {
    private struct State {
        var buffer: [UInt8] = []
        /// The destination: the stream, or a pager.
        var descriptor: Int32
        /// Whether the destination is a terminal, so that control characters in documents are
        /// escaped.
        var isTerminal = false
        /// Whether to start a pager if there are more lines than the terminal has.
        var mayPage = false
        var lines = 0
        var rows = 0
        var pager: OtherProgram?
        /// The bytes of an incomplete character at the end of the last piece.
        var open: [UInt8] = []
        /// A note to show after the output.
        var note: String?
    }

    /// The stream itself; -1 for another destination.
    package let descriptor: Int32
    private let destination: (any OutputSink)?
    private let state: Mutex<State>
    private static let flushSize = 1 << 16

    package convenience init() { self.init(System.standardOutput) }

    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
        destination = nil
        state = Mutex(State(descriptor: descriptor))
    }

    package init(_ destination: any OutputSink) {
        descriptor = -1
        self.destination = destination
        state = Mutex(State(descriptor: -1))
    }

    /// Starts the output of a command.
    package func begin(withPager: Bool) {
        let isTerminal = System.isTerminal(descriptor)
        state.withLock { state in
            state.isTerminal = isTerminal
            state.note = nil
            state.lines = 0
            state.rows = System.terminalSize(descriptor)?.rows ?? 0
            state.mayPage = withPager && isTerminal && state.rows > 1
        }
    }

    /// Whether the destination is a terminal.
    var isTerminal: Bool { state.withLock(\.isTerminal) }

    /// Shows a note on standard error after the output, at a terminal.
    func note(_ text: String) { state.withLock { $0.note = text } }

    /// Appends UTF-8 data, in which colour sequences are not the tool's own and are escaped.
    package func writeData(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try write($0, keepsColours: false) }
    }

    /// Appends text.
    package func write(_ text: String) throws {
        var text = text
        try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
    }

    /// Appends UTF-8.
    package func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try write($0) }
    }

    /// Appends UTF-8.
    ///
    /// - Parameter keepsColours: whether to keep colour sequences, which are the tool's own.
    func write(_ bytes: UnsafeRawBufferPointer, keepsColours: Bool = true) throws {
        try state.withLock { state in
            if state.isTerminal {
                escape(bytes, keepsColours, &state)
            } else {
                state.buffer.append(contentsOf: bytes)
            }
            if state.mayPage { state.lines += bytes.count { $0 == 0x0A } }
            // The last line is needed for the shell's prompt.
            if state.mayPage, state.lines >= state.rows { startPager(&state) }
            guard state.buffer.count >= Self.flushSize else { return }
            try writeOut(&state)
        }
    }

    private func escape(
        _ bytes: UnsafeRawBufferPointer, _ keepsColours: Bool, _ state: inout State
    ) {
        let text = state.open + bytes
        state.open = []
        text.withUnsafeBytes { text in
            let count = Text.openMarkBytes(text)
            state.open += text.suffix(count)
            let whole = UnsafeRawBufferPointer(rebasing: text.dropLast(count))
            state.buffer += Text.escapingMarks(whole, keepsColours: keepsColours) ?? Array(whole)
        }
    }

    /// Writes buffered output, except what waits for a complete page.
    package func flush() throws {
        try state.withLock { state in
            state.mayPage = false
            try writeOut(&state)
        }
    }

    /// Writes buffered output, and waits until the user leaves the pager.
    package func finish() throws {
        let (result, pager, note) = state.withLock { state in
            state.mayPage = false
            state.buffer += state.open
            state.open = []
            let result = Result { try writeOut(&state) }
            let (pager, note) = (state.pager, state.note)
            (state.pager, state.note) = (nil, nil)
            if pager != nil {
                System.close(state.descriptor)
                state.descriptor = descriptor
            }
            return (result, pager, note)
        }
        // The pager handles Ctrl-C itself.
        if let pager { Interruption.ignoring { _ = pager.wait() } }
        try result.get()
        if let note, StandardError.current.isTerminal {
            StandardError.current.writeUnprefixed(note)
        }
    }

    private func writeOut(_ state: inout State) throws {
        guard !state.buffer.isEmpty else { return }
        defer { state.buffer.removeAll(keepingCapacity: true) }
        do {
            try state.buffer.withUnsafeBytes { bytes in
                if let destination { return try destination.write(bytes) }
                try System.write(state.descriptor, bytes)
            }
        } catch let failure as System.Failure {
            guard !failure.isClosedPipe else { throw ClosedPipe() }
            throw ToolError("standard output cannot be written: \(failure.message)")
        }
    }

    private func startPager(_ state: inout State) {
        state.mayPage = false
        // Typed or pasted lines are not meant for the pager.
        guard !System.hasInput(System.standardInput), let pager = Pager.start() else { return }
        (state.pager, state.descriptor) = (pager.program, pager.input)
    }
}

/// The program that shows long output page by page.
enum Pager {
    /// The command: `KVTOOL_PAGER`, `PAGER`, or `less`; nil if it is `cat` or empty.
    static func command(variable: (String) -> String?) -> String? {
        let command = variable("KVTOOL_PAGER") ?? variable("PAGER") ?? "less"
        return command == "cat" ? nil : command
    }

    /// Starts the pager; nil if there is none.
    static func start() -> (program: OtherProgram, input: Int32)? {
        guard let command = command(variable: System.environment), let pipe = try? ProgramPipe()
        else { return nil }
        defer { System.close(pipe.reading) }
        // Pass colours through; exit if the output fits one screen; do not clear the screen.
        let variables = System.environment("LESS") == nil ? ["LESS": "FRX"] : [:]
        // If the pager does not exist, the output must still appear.
        let whole =
            "if command -v \(word(command)) >/dev/null 2>&1; then exec \(command); "
            + "else exec cat; fi; :"
        guard
            let program = try? OtherProgram(
                shell: whole, input: pipe.reading, variables: variables)
        else {
            System.close(pipe.writing)
            return nil
        }
        return (program, pipe.writing)
    }

    private static func word(_ command: String) -> String {
        String(command.prefix { $0 != " " })
    }
}
