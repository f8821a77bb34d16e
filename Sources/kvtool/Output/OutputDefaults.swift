internal import Synchronization

/// What holds where the command line says nothing: the shell's `.mode` and the like.
enum OutputDefaults {
    private struct State {
        var format: OutputFormat?
        var allowsPager = true
        var color = Choice.auto
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

    /// When there are colours.
    static var color: Choice {
        get { state.withLock(\.color) }
        set { state.withLock { $0.color = newValue } }
    }
}
