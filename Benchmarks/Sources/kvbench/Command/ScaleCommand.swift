import ArgumentParser
import BenchmarkReport
import Foundation

/// `kvbench scale`
struct ScaleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scale", abstract: "Fills one file with many documents, and measures it.",
        discussion: """
            The file is created on a disk, in a new directory that is removed at the end. It takes \
            about 500 bytes a document, and as much again while an index is created. Times are \
            wall-clock times; memory is the peak of each step; the size of the file is that \
            after the step, and that of its WAL the largest. Generating the documents is not \
            counted.
            """)

    @Argument(help: "The number of documents: 1M, 10M; a multiple of 10,000.")
    var documents = BenchmarkSize(people: 1_000_000)
    @Option(help: "The parent of the new directory.", completion: .directory)
    var directory = "."
    @Option(help: "Write the results to this file.", completion: .file(extensions: ["json"]))
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
