internal import Logging
internal import SQLCore
internal import StorePlatform

/// When what is in the log is moved into the file.
///
/// After a commit by which the log has 1,000 pages or more, without waiting for anybody. A reader
/// keeps the part behind its snapshot from being moved, and the log from being restarted. Where
/// one reader comes before the last one has gone, that would go on for ever: so once the log has
/// 8,000 pages, writers wait a moment for those who read from it. A reader who holds on longer lets
/// it grow, which is warned of.
final class CheckpointPolicy: Sendable {
    private struct State {
        /// The pages from which on it is tried.
        var due = CheckpointPolicy.pages
        /// The pages from which on readers are waited for, and how many more it takes to do it
        /// again: twice as many each time.
        var restart = CheckpointPolicy.restartPages
        var restartStep = CheckpointPolicy.restartPages / 4
        /// The pages from which on it is warned.
        var warning: Int
        /// The pages the last time.
        var last = 0
    }

    /// SQLite's own number.
    private static let pages = 1000
    private static let restartPages = 8 * pages
    /// How long readers are waited for; most have ended by then, and others hardly notice.
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

    /// Looks at the log; called after each commit.
    @inline(__always)
    func afterCommit(_ file: SharedFile, _ member: PooledConnection, _ session: Session) {
        let pages = session.context.walPages
        if pages >= Self.pages { checkpoint(file, member, session, pages) }
    }

    private func checkpoint(
        _ file: SharedFile, _ member: PooledConnection, _ session: Session, _ pages: Int
    ) {
        guard let restarts = begin(pages) else { return }
        do {
            let result = try member.waiting(atMost: Self.waitMilliseconds) {
                try session.context.checkpoint(restarts: restarts)
            }
            if end(result, pages) { warn(result) }
        } catch let error as SQLError where .interrupted ~= error.code {
            // The task was cancelled, after its commit. Another commit comes.
        } catch {
            // The disk has refused: what was moved may not be in the file, and must stay in the
            // log.
            file.giveUp(session, error)
        }
    }

    /// Whether readers are to be waited for; nil if there is nothing to do yet.
    private func begin(_ pages: Int) -> Bool? {
        state.withLock { state in
            if pages < state.last {
                // The log was restarted.
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

    /// Says when it is tried again; returns whether to warn.
    private func end(_ result: SQLCheckpoint, _ pages: Int) -> Bool {
        state.withLock { state in
            state.due = result.isBlocked ? pages + Self.pages : Self.pages
            // Where another connection is at it, nothing is known of readers.
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
            the log of \(path) has grown to \(result.walPages) pages, since a reader holds a \
            snapshot from which on \(result.walPages - result.movedPages) of them must stay: \
            end long reads, or split them
            """)
    }
}
