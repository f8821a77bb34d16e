import ArgumentParser
import DocumentStore
import Foundation

/// `kvbench vectors DIRECTORY`
struct VectorsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vectors", abstract: "Measures a vector index.",
        discussion: """
            The directory has the files vectors.f32 and queries.f32, single-precision numbers \
            without any header, and truth.i32, the positions of the 10 nearest vectors of each \
            query. Scripts/vector-benchmark.py writes them, runs other libraries on them, and \
            this command. The results are one JSON object.
            """)

    @Argument(help: "The directory with the vectors.", completion: .directory) var data: String
    @Option(help: "Numbers of each vector.") var dimensions: Int
    @Option(help: "How distances are measured.") var metric = "cosine"
    @Option(help: "Numbers of cells to search, besides the default.") var probes: [Int] = []
    @Flag(help: "Replace half of the documents, and measure the recall afterwards.")
    var replaces = false
    @Option(help: "The parent of the new directory.", completion: .directory)
    var directory = "."

    func run() throws {
        try requireRelease()
        guard let metric = VectorMetric(rawValue: metric) else {
            throw ValidationError("unknown metric")
        }
        let place = "\(directory)/kvbench-\(UUID().uuidString).cblite2"
        Interruption.remove([place])
        defer { try? FileManager.default.removeItem(atPath: place) }
        let file = try DataFile(path: place, options: DataFileOptions(access: .create))
        defer { file.close() }
        let benchmark = try VectorBenchmark(
            file: file, vectors: VectorFile("\(data)/vectors.f32", dimensions),
            queries: VectorFile("\(data)/queries.f32", dimensions),
            truth: Data(contentsOf: URL(fileURLWithPath: "\(data)/truth.i32")),
            options: VectorIndexOptions(dimensions: dimensions, metric: metric))
        print(try benchmark.run(probes: [nil] + probes, replaces: replaces))
    }
}
