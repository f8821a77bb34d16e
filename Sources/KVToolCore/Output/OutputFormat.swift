package import ArgumentParser
internal import Synchronization

/// The forms that a command's rows are written in.
package enum OutputFormat: String, EnumerableFlag {
    case json, ndjson, csv, tsv

    package static func help(for value: OutputFormat) -> ArgumentHelp? {
        switch value {
        case .json: "One JSON object, with its schema's name."
        case .ndjson: "A JSON object a row, each on a line."
        case .csv: "Comma-separated values, headings first."
        case .tsv: "The same with tabs between them."
        }
    }
}

/// When something is done that suits a terminal only.
package enum Choice: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never
}

/// How far a long task has come, and for whom that is written.
package enum ProgressStyle: String, CaseIterable, ExpressibleByArgument {
    /// A bar, where standard error is a terminal.
    case auto
    /// A JSON object a line.
    case json
    case none
}

/// The options of every command for what it writes.
package struct OutputArguments: ParsableArguments {
    @Flag(exclusivity: .exclusive)
    package var given: OutputFormat?

    @Flag(name: .customLong("line"), help: "Rows as lines, one property a line.")
    package var asLines = false

    @Option(help: ArgumentHelp("Colours: auto, always or never.", valueName: "when"))
    package var color = Choice.auto

    @Flag(name: .customLong("no-pager"), help: "Do not show long output page by page.")
    package var withoutPager = false

    @Option(help: ArgumentHelp("What long tasks tell: auto, json or none.", valueName: "how"))
    package var progress = ProgressStyle.auto

    package init() {}

    /// The form to write, nil for people.
    package var format: OutputFormat? { given ?? OutputDefaults.current.format }

    /// Whether people read it.
    package var isForPeople: Bool { format == nil }

    /// Makes the streams do as the options say. Called before the command runs.
    package func apply() {
        OutputStyle.current.color = color == .auto ? OutputDefaults.current.color : color
        StandardError.current.isJSON = format == .json || format == .ndjson
        OutputStyle.current.progress = progress
        OutputStyle.current.showsLines = asLines || OutputDefaults.current.showsLines
        StandardOutput.current.begin(
            withPager: isForPeople && !withoutPager && OutputDefaults.current.allowsPager)
    }
}

/// A command that obeys the options for what it writes.
package protocol ToolCommand: AsyncParsableCommand {
    var output: OutputArguments { get }
}

/// What holds where the command line says nothing: the shell's `.mode` and the like.
package final class OutputDefaults: ContextValue {
    private struct State {
        var format: OutputFormat?
        var allowsPager = true
        var color = Choice.auto
        var showsLines = false
        var cutHint: String?
    }

    private let state = Mutex(State())

    package init() {}

    /// The form to write, nil for people.
    package var format: OutputFormat? {
        get { state.withLock(\.format) }
        set { state.withLock { $0.format = newValue } }
    }

    /// Whether long output may be shown page by page.
    package var allowsPager: Bool {
        get { state.withLock(\.allowsPager) }
        set { state.withLock { $0.allowsPager = newValue } }
    }

    /// Whether rows are written for people as lines, one property a line.
    package var showsLines: Bool {
        get { state.withLock(\.showsLines) }
        set { state.withLock { $0.showsLines = newValue } }
    }

    /// How to see what a table has cut off.
    package var cutHint: String? {
        get { state.withLock(\.cutHint) }
        set { state.withLock { $0.cutHint = newValue } }
    }

    /// When there are colours.
    package var color: Choice {
        get { state.withLock(\.color) }
        set { state.withLock { $0.color = newValue } }
    }
}
