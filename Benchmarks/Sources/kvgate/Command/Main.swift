import ArgumentParser

/// Counts instructions and allocations of small pieces of work, and compares them with recorded
/// thresholds.
@main
struct Main: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kvgate",
        abstract: "Counts instructions and allocations, and compares them with thresholds.",
        subcommands: [CheckCommand.self, KernelCommand.self])
}
