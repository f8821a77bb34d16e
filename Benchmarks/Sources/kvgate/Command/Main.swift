import ArgumentParser

/// Counts instructions and allocations of small pieces of work, and compares them with what is
/// written down.
@main
struct Main: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kvgate",
        abstract: "Count instructions and allocations, and compare them with what they may be.",
        subcommands: [CheckCommand.self, KernelCommand.self])
}
