internal import Synchronization

/// Standard output, written in large pieces, and page by page where a person reads it.
enum StandardOutput {
    private struct State {
        var buffer: [UInt8] = []
        /// Where it goes.
        var descriptor = System.standardOutput
        /// Whether a terminal shows it, which must not obey what stands in documents.
        var isTerminal = false
        /// Whether a pager is started when there are more lines than the terminal has.
        var mayPage = false
        var lines = 0
        var rows = 0
        var pager: OtherProgram?
    }

    private static let state = Mutex(State())
    private static let flushSize = 1 << 16

    /// Begins with a command's output.
    static func begin(withPager: Bool) {
        let isTerminal = System.isTerminal(System.standardOutput)
        state.withLock { state in
            state.isTerminal = isTerminal
            state.lines = 0
            state.rows = System.terminalSize(System.standardOutput)?.rows ?? 0
            state.mayPage = withPager && isTerminal && state.rows > 1
        }
    }

    /// Appends text.
    static func write(_ text: String) throws {
        var text = text
        try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
    }

    /// Appends UTF-8.
    static func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try write($0) }
    }

    /// Appends UTF-8.
    static func write(_ bytes: UnsafeRawBufferPointer) throws {
        try state.withLock { state in
            if state.isTerminal, let escaped = Text.escapingMarks(bytes) {
                state.buffer += escaped
            } else {
                state.buffer.append(contentsOf: bytes)
            }
            if state.mayPage { state.lines += bytes.count { $0 == 0x0A } }
            // The last line is the shell's prompt.
            if state.mayPage, state.lines >= state.rows { startPager(&state) }
            guard state.buffer.count >= flushSize else { return }
            try writeOut(&state)
        }
    }

    /// Writes what there is, but for what a page still waits for.
    static func flush() throws {
        try state.withLock { state in
            state.mayPage = false
            try writeOut(&state)
        }
    }

    /// Writes what is left, and waits until the reader of the pages has seen enough.
    static func finish() throws {
        let (result, pager) = state.withLock { state in
            state.mayPage = false
            let result = Result { try writeOut(&state) }
            guard let pager = state.pager else { return (result, nil as OtherProgram?) }
            System.close(state.descriptor)
            state.descriptor = System.standardOutput
            state.pager = nil
            return (result, pager)
        }
        // Ctrl-C is a key of the pager's.
        if let pager { Interruption.ignoring { _ = pager.wait() } }
        try result.get()
    }

    private static func writeOut(_ state: inout State) throws {
        guard !state.buffer.isEmpty else { return }
        defer { state.buffer.removeAll(keepingCapacity: true) }
        do {
            try state.buffer.withUnsafeBytes { try System.write(state.descriptor, $0) }
        } catch let failure as System.Failure {
            guard !failure.isClosedPipe else { throw ClosedPipe() }
            throw ToolError("standard output cannot be written: \(failure.message)")
        }
    }

    private static func startPager(_ state: inout State) {
        state.mayPage = false
        guard let pager = Pager.start() else { return }
        (state.pager, state.descriptor) = (pager.program, pager.input)
    }
}
