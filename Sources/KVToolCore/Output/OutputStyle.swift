internal import Synchronization

/// The output settings of the running command: colours, progress, rows as lines.
package final class OutputStyle: ContextValue {
    private struct State {
        var color = Choice.auto
        var progress = ProgressStyle.auto
        var showsLines = false
    }

    private let state = Mutex(State())

    package init() {}

    /// When to use colours.
    package var color: Choice {
        get { state.withLock(\.color) }
        set { state.withLock { $0.color = newValue } }
    }

    /// The format of progress messages.
    package var progress: ProgressStyle {
        get { state.withLock(\.progress) }
        set { state.withLock { $0.progress = newValue } }
    }

    /// Whether console output shows rows as lines, one property per line.
    package var showsLines: Bool {
        get { state.withLock(\.showsLines) }
        set { state.withLock { $0.showsLines = newValue } }
    }
}
