import ArgumentParser
import BenchmarkGate

/// Runs one kernel: what `check` runs under valgrind.
struct KernelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kernel", abstract: "Run a kernel so many times.",
        discussion: "Names: " + Kernel.all.map(\.name).joined(separator: ", "))

    @Argument(help: "The kernel's name.")
    var name: String

    @Argument(help: "How many passes.")
    var passes: Int

    @Flag(help: "Look at all that was done, too: not where instructions are counted.")
    var verify = false

    @Option(help: "An empty directory for files; otherwise one in memory, for this time.")
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
