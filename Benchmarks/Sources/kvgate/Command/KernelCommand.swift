import ArgumentParser
import BenchmarkGate

/// Runs one kernel; `check` runs it under valgrind.
struct KernelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kernel", abstract: "Runs a kernel repeatedly.",
        discussion: "Names: " + Kernel.all.map(\.name).joined(separator: ", "))

    @Argument(help: "The name of the kernel.")
    var name: String

    @Argument(help: "The number of passes.")
    var passes: Int

    @Flag(help: "Verify all of the work, too: not while instructions are counted.")
    var verify = false

    @Option(help: "An empty directory for files (default: a temporary one in memory).")
    var directory: String?

    func run() throws {
        let kernel = try Kernel.named(name)
        if let directory {
            let place = Kernel.Place(directory: directory)
            return try kernel.run(passes: passes, in: place, verifies: verify)
        }
        let directory = try TemporaryDirectory(inMemory: true)
        defer { directory.remove() }
        let place = Kernel.Place(directory: directory.path)
        try kernel.run(passes: passes, in: place, verifies: verify)
    }
}
