internal import ArgumentParser
internal import DataFileCore
internal import Foundation

/// `kvtool explain DATABASE 'SELECT …'`
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Shows how a query would be executed, and which indexes would help.",
        discussion: """
            --measure makes each index in a copy of the database beside it, which needs room for \
            that, and tells how long the query takes without and with it.
            """)

    @OptionGroup var arguments: QueryArguments
    @Flag(help: "The statement that SQLite is asked, too.") var sql = false
    @Flag(help: "Measure the indexes that are advised.") var measure = false

    func run() throws {
        let query = try arguments.named()
        let values = try arguments.values()
        let file = try arguments.database.open()
        let (plan, advice) = try file.read { snapshot in
            (try query.explain(in: snapshot, values), try query.adviseIndexes(in: snapshot))
        }
        try StandardOutput.write(Self.lines(plan.description) + "\n")
        if sql { try StandardOutput.write("\nSQL: \(Text.line(plan.sql))\n") }
        for index in advice { try write(index, query, values, file) }
    }

    /// Each line by itself, so that no name can play tricks on a terminal.
    private static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { Text.line(String($0)) }.joined(separator: "\n")
    }

    private func write(
        _ advice: IndexAdvice, _ query: Query, _ values: QueryParameters, _ file: DataFile
    ) throws {
        try StandardOutput.write("\nAn index would help: \(Text.line(advice.reason)).\n")
        try StandardOutput.write("  \(Text.line(advice.sql))\n")
        guard measure else { return }
        let copy = file.path + ".advice-\(UUID().uuidString).cblite2"
        let gain = try advice.measure(query, values, of: file, copyAt: copy)
        try StandardOutput.write(
            "  measured: \(Self.text(gain.before)) without, \(Self.text(gain.after)) with it; "
                + "made in \(Self.text(gain.creation))\n")
    }

    private static func text(_ duration: Duration) -> String {
        duration.formatted(
            .units(
                allowed: [.seconds, .milliseconds, .microseconds], width: .narrow,
                maximumUnitCount: 2))
    }
}
