internal import Synchronization

/// Operations of the engine that report no progress of their own.
package enum EngineTask: String {
    case compact, optimize, reindex, rewrite, encrypt, decrypt, rekey

    /// The description in console output.
    var words: String {
        switch self {
        case .compact: "reclaiming free pages"
        case .optimize: "analyzing the indexes"
        case .reindex: "rebuilding SQLite's indexes"
        case .rewrite: "rewriting the file"
        case .encrypt: "encrypting"
        case .decrypt: "decrypting"
        case .rekey: "encrypting with the new key"
        }
    }
}

/// Progress of a single operation of the engine: its duration, and if known, the number of bytes
/// written.
///
/// SQLite reports that it is working while it processes rows, but not while it copies pages, so a
/// timer runs in addition.
package final class EngineProgress: Sendable {
    /// The expected number of bytes to write.
    package struct Bytes: Sendable {
        package let total: Int
        /// Returns the current number; it may decrease when a temporary file is removed.
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

    /// Runs `body`, which should call `tick` with the number of operations done.
    ///
    /// Ctrl-C ends it with this message.
    package func run<T>(
        stopped words: String,
        _ body: (_ tick: @escaping @Sendable (_ operations: Int) -> Void) async throws -> T
    ) async throws -> T {
        let clock = Task {
            while true {
                try await Task.sleep(for: .milliseconds(100))
                report(0)
            }
        }
        defer {
            clock.cancel()
            finish()
        }
        do {
            return try await body { self.report($0) }
        } catch is CancellationError {
            throw Interrupted(message: words)
        }
    }

    private func report(_ operations: Int) {
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
