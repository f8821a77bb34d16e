internal import Logging
internal import SQLCore

/// When what is in the log is moved into the file.
///
/// After a commit by which the log has 1,000 pages or more, without waiting for anybody. A reader
/// keeps the part behind its snapshot from being moved, and the log from being begun anew: it then
/// grows, which is warned of.
final class LogPolicy: Sendable {
    private struct State {
        /// The pages from which on it is tried.
        var due = LogPolicy.pages
        /// The pages from which on it is warned.
        var warning: Int
    }

    /// SQLite's own number.
    private static let pages = 1000

    private let state: Locked<State>
    private let firstWarning: Int
    private let logger: Logger
    private let path: String

    init(_ options: DataFileOptions, path: String) {
        firstWarning = max(options.logWarningPages, 1)
        state = Locked(State(warning: firstWarning))
        logger = options.logger
        self.path = path
    }

    /// Looks at the log; called after each commit.
    @inline(__always)
    func afterCommit(_ file: SharedFile, _ session: Session) {
        let pages = session.context.logPages
        if pages >= Self.pages { checkpoint(file, session, pages) }
    }

    private func checkpoint(_ file: SharedFile, _ session: Session, _ pages: Int) {
        guard state.withLock({ pages >= $0.due || pages < $0.due - Self.pages }) else { return }
        do {
            let result = try session.context.checkpoint()
            let isGrowing = state.withLock { state -> Bool in
                state.due = result.isBlocked ? pages + Self.pages : Self.pages
                guard result.isBlocked else {
                    state.warning = firstWarning
                    return false
                }
                guard pages >= state.warning else { return false }
                state.warning = pages * 2
                return true
            }
            if isGrowing { warn(result) }
        } catch let error as SQLError where .interrupted ~= error.code {
            // The task was cancelled, after its commit. Another commit comes.
        } catch {
            // The disk has refused: what was moved may not be in the file, and must stay in the
            // log.
            file.giveUp(session, error)
        }
    }

    private func warn(_ result: SQLCheckpoint) {
        logger.warning(
            """
            the log of \(path) has grown to \(result.logPages) pages, since a reader holds a \
            snapshot from which on \(result.logPages - result.movedPages) of them must stay: \
            end long reads, or split them
            """)
    }
}
