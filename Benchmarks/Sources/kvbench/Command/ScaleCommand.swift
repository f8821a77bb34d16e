import ArgumentParser
import BenchmarkReport
import Foundation

/// `kvbench scale`
struct ScaleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scale", abstract: "Fills one file with many documents, and measures on it.",
        discussion: """
            The file is made on a disk, in a new directory that is removed at the end: of about 500 \
            bytes a document, and as much again while an index is made. Given are times of the \
            clock, the most memory of each step, the size of the file after it, and the largest \
            size of its WAL. What makes the documents is not counted.
            """)

    @Argument(help: "How many documents: 1M, 10M; tens of thousands.")
    var documents = BenchmarkSize(people: 1_000_000)
    @Option(help: "Where the new directory is made.", completion: .directory)
    var directory = "."
    @Option(help: "A file for the results.", completion: .file(extensions: ["json"]))
    var json: String?

    func run() throws {
        try requireRelease()
        let place = "\(directory)/kvbench-\(UUID().uuidString)"
        Interruption.remove([place])
        let result = try json.map(ResultFile.init)
        var results = BenchmarkRun.begin(
            people: documents.people, rounds: 1, secondsOfRound: 0)
        try OutputPath.createDirectory(place)
        defer { try? FileManager.default.removeItem(atPath: place) }
        let file = ScaleFile(path: place + "/people.cblite2", count: documents.people)
        try file.measure { step in
            print(step)
            fflush(nil)
            results.figures = ScaleStep.figures(file.steps)
            try result?.note(results)
        }
        try result?.finish(results)
    }
}
