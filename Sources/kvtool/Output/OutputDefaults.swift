internal import Synchronization

/// What holds where the command line says nothing: the shell's `.mode` and the like.
enum OutputDefaults {
    private struct State {
        var format: OutputFormat?
        var allowsPager = true
        var color = Choice.auto
        var showsLines = false
        var cutHint: String?
    }

    private static let state = Mutex(State())

    /// The form to write, nil for people.
    static var format: OutputFormat? {
        get { state.withLock(\.format) }
        set { state.withLock { $0.format = newValue } }
    }

    /// Whether long output may be shown page by page.
    static var allowsPager: Bool {
        get { state.withLock(\.allowsPager) }
        set { state.withLock { $0.allowsPager = newValue } }
    }

    /// Whether rows are written for people as lines, one property a line.
    static var showsLines: Bool {
        get { state.withLock(\.showsLines) }
        set { state.withLock { $0.showsLines = newValue } }
    }

    /// How to see what a table has cut off.
    static var cutHint: String? {
        get { state.withLock(\.cutHint) }
        set { state.withLock { $0.cutHint = newValue } }
    }

    /// When there are colours.
    static var color: Choice {
        get { state.withLock(\.color) }
        set { state.withLock { $0.color = newValue } }
    }
}
