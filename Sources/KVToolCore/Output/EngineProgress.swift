internal import Synchronization

/// What the engine does in one piece, so that a command cannot count along.
package enum EngineTask: String {
    case compact, optimize, reindex, rewrite, encrypt, decrypt, rekey

    /// What people read.
    var words: String {
        switch self {
        case .compact: "giving room back"
        case .optimize: "looking at the indexes"
        case .reindex: "making SQLite's indexes again"
        case .rewrite: "writing the file again"
        case .encrypt: "encrypting"
        case .decrypt: "decrypting"
        case .rekey: "encrypting with the new key"
        }
    }
}

/// Progress of what the engine does in one piece: it is told that time goes by, and how many bytes
/// were written where that can be seen from outside.
///
/// SQLite says that it is at work while it walks through rows, but not while it copies pages; so a
/// clock goes beside it.
package final class EngineProgress: Sendable {
    /// How much of something is written, in bytes.
    package struct Bytes: Sendable {
        package let total: Int
        /// How many it is now; it may become fewer again, as a file is removed that was written.
        let written: @Sendable () -> Int

        package init(total: Int, written: @escaping @Sendable () -> Int) {
            self.total = total
            self.written = written
        }
    }

    private struct State {
        var progress: Progress
        var operations = 0
        var mostBytes = 0
        var hasEnded = false
    }

    private let task: EngineTask
    private let bytes: Bytes?
    private let state: Mutex<State>

    package init(_ task: EngineTask, bytes: Bytes? = nil) {
        self.task = task
        self.bytes = bytes
        state = Mutex(State(progress: Progress("operation", total: bytes?.total ?? 0)))
    }

    /// Runs `body`, which is to call `tick` with the operations that were done.
    ///
    /// Ctrl-C ends it with these words.
    package func run<T>(
        stopped words: String,
        _ body: (_ tick: @escaping @Sendable (_ operations: Int) -> Void) async throws -> T
    ) async throws -> T {
        let clock = Task {
            while true {
                try await Task.sleep(for: .milliseconds(100))
                tell(0)
            }
        }
        defer {
            clock.cancel()
            finish()
        }
        do {
            return try await body { self.tell($0) }
        } catch is CancellationError {
            throw Interrupted(message: words)
        }
    }

    private func tell(_ operations: Int) {
        state.withLock { state in
            state.operations += operations
            guard !state.hasEnded, state.progress.isDue else { return }
            state.mostBytes = max(state.mostBytes, bytes?.written() ?? 0)
            state.progress.update(
                task, bytes: min(state.mostBytes, bytes?.total ?? 0), operations: state.operations)
        }
    }

    private func finish() {
        state.withLock { state in
            state.hasEnded = true
            state.progress.finish()
        }
    }
}
