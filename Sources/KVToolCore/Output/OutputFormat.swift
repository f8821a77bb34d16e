package import ArgumentParser
internal import Synchronization

/// The machine-readable formats of a command's output.
package enum OutputFormat: String, EnumerableFlag {
    case json, ndjson, csv, tsv

    package static func help(for value: OutputFormat) -> ArgumentHelp? {
        switch value {
        case .json: "One JSON object with the name of its schema."
        case .ndjson: "One JSON object per row, one per line."
        case .csv: "Comma-separated values with a header row."
        case .tsv: "Tab-separated values with a header row."
        }
    }
}

/// A choice for features that suit only terminals.
package enum Choice: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never
}

/// The format of progress messages of long tasks.
package enum ProgressStyle: String, CaseIterable, ExpressibleByArgument {
    /// A progress bar, if standard error is a terminal.
    case auto
    /// One JSON object per line.
    case json
    case none
}

/// The output options of every command.
package struct OutputArguments: ParsableArguments {
    @Flag(exclusivity: .exclusive)
    package var given: OutputFormat?

    @Flag(name: .customLong("line"), help: "Print rows as lines, one property per line.")
    package var asLines = false

    @Option(help: ArgumentHelp("Use colours: auto, always or never.", valueName: "when"))
    package var color = Choice.auto

    @Flag(name: .customLong("no-pager"), help: "Do not show long output page by page.")
    package var withoutPager = false

    @Option(help: ArgumentHelp("Report progress: auto, json or none.", valueName: "how"))
    package var progress = ProgressStyle.auto

    package init() {}

    /// The requested format; nil for console output.
    package var format: OutputFormat? { given ?? OutputDefaults.current.format }

    /// Whether to write console output.
    package var isForPeople: Bool { format == nil }

    /// Configures the streams. Called before the command runs.
    package func apply() {
        OutputStyle.current.color = color == .auto ? OutputDefaults.current.color : color
        StandardError.current.isJSON = format == .json || format == .ndjson
        OutputStyle.current.progress = progress
        OutputStyle.current.showsLines = asLines || OutputDefaults.current.showsLines
        StandardOutput.current.begin(
            withPager: isForPeople && !withoutPager && OutputDefaults.current.allowsPager)
    }
}

/// A command with output options.
package protocol ToolCommand: AsyncParsableCommand {
    var output: OutputArguments { get }
}

/// The defaults of output options, set in the shell by `.mode` and similar commands.
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

    /// The default format; nil for console output.
    package var format: OutputFormat? {
        get { state.withLock(\.format) }
        set { state.withLock { $0.format = newValue } }
    }

    /// Whether long output may be shown in a pager.
    package var allowsPager: Bool {
        get { state.withLock(\.allowsPager) }
        set { state.withLock { $0.allowsPager = newValue } }
    }

    /// Whether console output shows rows as lines, one property per line.
    package var showsLines: Bool {
        get { state.withLock(\.showsLines) }
        set { state.withLock { $0.showsLines = newValue } }
    }

    /// The hint how to show truncated cells of a table.
    package var cutHint: String? {
        get { state.withLock(\.cutHint) }
        set { state.withLock { $0.cutHint = newValue } }
    }

    /// When to use colours.
    package var color: Choice {
        get { state.withLock(\.color) }
        set { state.withLock { $0.color = newValue } }
    }
}
