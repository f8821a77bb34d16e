internal import Synchronization

/// Standard output, written in large pieces, and page by page where a person reads it.
package final class StandardOutput: ContextValue {
    private struct State {
        var buffer: [UInt8] = []
        /// Where it goes: the stream, or a pager before it.
        var descriptor: Int32
        /// Whether a terminal shows it, which must not obey what stands in documents.
        var isTerminal = false
        /// Whether a pager is started when there are more lines than the terminal has.
        var mayPage = false
        var lines = 0
        var rows = 0
        var pager: OtherProgram?
        /// Bytes that are a character only with those that follow.
        var open: [UInt8] = []
        /// What a person is told when all is shown.
        var note: String?
    }

    /// The stream itself.
    package let descriptor: Int32
    private let state: Mutex<State>
    private static let flushSize = 1 << 16

    package convenience init() { self.init(System.standardOutput) }

    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
        state = Mutex(State(descriptor: descriptor))
    }

    /// Begins with a command's output.
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

    /// Whether a terminal shows it.
    var isTerminal: Bool { state.withLock(\.isTerminal) }

    /// Tells a person something, on standard error, when all is shown.
    func note(_ text: String) { state.withLock { $0.note = text } }

    /// Appends UTF-8 that has no colours of the tool's own, but perhaps those of a stranger.
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
    /// - Parameter keepsColours: whether the colours in it are the tool's own.
    func write(_ bytes: UnsafeRawBufferPointer, keepsColours: Bool = true) throws {
        try state.withLock { state in
            if state.isTerminal {
                escape(bytes, keepsColours, &state)
            } else {
                state.buffer.append(contentsOf: bytes)
            }
            if state.mayPage { state.lines += bytes.count { $0 == 0x0A } }
            // The last line is the shell's prompt.
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

    /// Writes what there is, but for what a page still waits for.
    package func flush() throws {
        try state.withLock { state in
            state.mayPage = false
            try writeOut(&state)
        }
    }

    /// Writes what is left, and waits until the reader of the pages has seen enough.
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
        // Ctrl-C is a key of the pager's.
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
            try state.buffer.withUnsafeBytes { try System.write(state.descriptor, $0) }
        } catch let failure as System.Failure {
            guard !failure.isClosedPipe else { throw ClosedPipe() }
            throw ToolError("standard output cannot be written: \(failure.message)")
        }
    }

    private func startPager(_ state: inout State) {
        state.mayPage = false
        // Lines that are typed already, or pasted, are not meant for the pager.
        guard !System.hasInput(System.standardInput), let pager = Pager.start() else { return }
        (state.pager, state.descriptor) = (pager.program, pager.input)
    }
}

/// The program that shows long output page by page.
enum Pager {
    /// The command: `KVTOOL_PAGER`, `PAGER`, or `less`; nil if it is `cat` or nothing at all.
    static func command(variable: (String) -> String?) -> String? {
        let command = variable("KVTOOL_PAGER") ?? variable("PAGER") ?? "less"
        return command == "cat" ? nil : command
    }

    /// Starts it; nil if there is none.
    static func start() -> (program: OtherProgram, input: Int32)? {
        guard let command = command(variable: System.environment), let pipe = try? ProgramPipe()
        else { return nil }
        defer { System.close(pipe.reading) }
        // Colours as they are; no page for what fits on one; the text stays on the screen.
        let variables = System.environment("LESS") == nil ? ["LESS": "FRX"] : [:]
        // What is not there must not swallow the output.
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
