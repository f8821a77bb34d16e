internal import Synchronization

/// How the command that runs writes, as its options say: colours, progress, rows as lines.
package final class OutputStyle: ContextValue {
    private struct State {
        var color = Choice.auto
        var progress = ProgressStyle.auto
        var showsLines = false
    }

    private let state = Mutex(State())

    package init() {}

    /// When there are colours.
    package var color: Choice {
        get { state.withLock(\.color) }
        set { state.withLock { $0.color = newValue } }
    }

    /// How it is told how far a long task has come.
    package var progress: ProgressStyle {
        get { state.withLock(\.progress) }
        set { state.withLock { $0.progress = newValue } }
    }

    /// Whether rows are written for people as lines, one property a line.
    package var showsLines: Bool {
        get { state.withLock(\.showsLines) }
        set { state.withLock { $0.showsLines = newValue } }
    }
}
