internal import ArgumentParser
internal import SampleData

/// `kvtool generate`
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Writes made-up people to standard output, one JSON document a line.")

    @Option(help: "How many.") var count = 200
    @Option(help: "The same seed gives the same people.") var seed: UInt64 = 1

    func validate() throws {
        guard count >= 0 else { throw ValidationError("--count takes 0 or more") }
    }

    func run() throws {
        for person in People(count: count, seed: seed) {
            try StandardOutput.write(person + "\n")
        }
    }
}
