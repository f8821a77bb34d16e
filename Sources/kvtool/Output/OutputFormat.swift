internal import ArgumentParser

/// The forms that a command's rows are written in.
enum OutputFormat: String, EnumerableFlag {
    case json, ndjson, csv, tsv

    static func help(for value: OutputFormat) -> ArgumentHelp? {
        switch value {
        case .json: "One JSON object, with its schema's name."
        case .ndjson: "A JSON object a row, each on a line."
        case .csv: "Comma-separated values, headings first."
        case .tsv: "The same with tabs between them."
        }
    }
}

/// When something is done that suits a terminal only.
enum Choice: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never
}

/// How far a long task has come, and for whom that is written.
enum ProgressStyle: String, CaseIterable, ExpressibleByArgument {
    /// A bar, where standard error is a terminal.
    case auto
    /// A JSON object a line.
    case json
    case none
}

/// The options of every command for what it writes.
struct OutputArguments: ParsableArguments {
    @Flag(exclusivity: .exclusive)
    var given: OutputFormat?

    @Flag(name: .customLong("line"), help: "Rows as lines, one property a line.")
    var asLines = false

    @Option(help: ArgumentHelp("Colours: auto, always or never.", valueName: "when"))
    var color = Choice.auto

    @Flag(name: .customLong("no-pager"), help: "Do not show long output page by page.")
    var withoutPager = false

    @Option(help: ArgumentHelp("What long tasks tell: auto, json or none.", valueName: "how"))
    var progress = ProgressStyle.auto

    /// The form to write, nil for people.
    var format: OutputFormat? { given ?? OutputDefaults.format }

    /// Whether people read it.
    var isForPeople: Bool { format == nil }

    /// Makes the streams do as the options say. Called before the command runs.
    func apply() {
        Colour.choose(color == .auto ? OutputDefaults.color : color)
        StandardError.isJSON = format == .json || format == .ndjson
        Progress.style = progress
        Table.showsLines = asLines || OutputDefaults.showsLines
        StandardOutput.begin(
            withPager: isForPeople && !withoutPager && OutputDefaults.allowsPager)
    }
}

/// A command that obeys the options for what it writes.
protocol ToolCommand: AsyncParsableCommand {
    var output: OutputArguments { get }
}
