internal import Logging
internal import SQLCore
internal import StorePlatform

/// Decides when the WAL is checkpointed.
///
/// A checkpoint runs after a commit that leaves the WAL at 1,000 pages or more, and does not wait
/// for other connections. A reader prevents pages after its snapshot from being checkpointed, and
/// the WAL from being reset. If readers overlap, that could last forever; once the WAL has 8,000
/// pages, the checkpoint therefore waits briefly for readers to end. A reader that holds on longer
/// lets the WAL grow, and a warning is logged.
final class CheckpointPolicy: Sendable {
    private struct State {
        /// The WAL size in pages from which a checkpoint is tried.
        var due = CheckpointPolicy.pages
        /// The WAL size in pages from which it waits for readers, and the growth after which it
        /// waits again, which doubles each time.
        var restart = CheckpointPolicy.restartPages
        var restartStep = CheckpointPolicy.restartPages / 4
        /// The WAL size in pages from which a warning is logged.
        var warning: Int
        /// The WAL size in pages at the last check.
        var last = 0
    }

    /// SQLite's default.
    private static let pages = 1000
    private static let restartPages = 8 * pages
    /// How long to wait for readers: most end within this time, and others are hardly delayed.
    private static let waitMilliseconds = 100

    private let state: Locked<State>
    private let firstWarning: Int
    private let logger: Logger
    private let path: String

    init(_ options: DataFileOptions, path: String) {
        firstWarning = max(options.walWarningPages, 1)
        state = Locked(State(warning: firstWarning))
        logger = options.logger
        self.path = path
    }

    /// Checks the WAL; called after each commit.
    @inline(__always)
    func afterCommit(_ file: SharedFile, _ connection: Connection) {
        let pages = connection.context.walPages
        if pages >= Self.pages { checkpoint(file, connection, pages) }
    }

    private func checkpoint(
        _ file: SharedFile, _ connection: Connection, _ pages: Int
    ) {
        guard let restarts = begin(pages) else { return }
        do {
            let result = try connection.pooled.waiting(atMost: Self.waitMilliseconds) {
                try connection.context.checkpoint(restarts: restarts)
            }
            if end(result, pages) { warn(result) }
        } catch let error as SQLError where .interrupted ~= error.code {
            // The task was cancelled after its commit; the next commit tries again.
        } catch {
            // The disk reported an error: checkpointed pages may not be in the file, and must stay
            // in the WAL.
            file.stopWriting(connection, error)
        }
    }

    /// Whether to wait for readers; nil if no checkpoint is due.
    private func begin(_ pages: Int) -> Bool? {
        state.withLock { state in
            if pages < state.last {
                // The WAL was reset.
                state = State(warning: firstWarning)
            }
            state.last = pages
            guard pages >= state.due else { return nil }
            guard pages >= state.restart else { return false }
            state.restart = pages + state.restartStep
            state.restartStep *= 2
            return true
        }
    }

    /// Determines when to try again; returns whether to warn.
    private func end(_ result: SQLCheckpoint, _ pages: Int) -> Bool {
        state.withLock { state in
            state.due = result.isBlocked ? pages + Self.pages : Self.pages
            // Another connection is checkpointing, so the result does not describe readers.
            guard result.isBlocked, result.walPages > 0, pages >= state.warning else {
                return false
            }
            state.warning = pages * 2
            return true
        }
    }

    private func warn(_ result: SQLCheckpoint) {
        logger.warning(
            """
            the WAL of \(path) has grown to \(result.walPages) pages, because a reader holds a \
            snapshot that needs \(result.walPages - result.checkpointedPages) of them: \
            end long reads, or split them
            """)
    }
}
