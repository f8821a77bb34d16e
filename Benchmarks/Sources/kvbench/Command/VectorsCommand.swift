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
            this command. The results are JSON objects: of filling the database, and of searching \
            it.
            """)

    @Argument(help: "The directory with the vectors.", completion: .directory) var data: String
    @Option(help: "Numbers of each vector.") var dimensions: Int
    @Option(help: "How distances are measured.") var metric = "cosine"
    @Option(help: "Numbers of cells to search, besides the default.") var probes: [Int] = []
    @Flag(help: "Replace half of the documents, and measure the recall afterwards.")
    var replaces = false
    @Option(
        help: "The database: filled if it does not exist, searched if it does.",
        completion: .directory)
    var database: String?

    func run() throws {
        try requireRelease()
        guard let metric = VectorMetric(rawValue: metric) else {
            throw ValidationError("unknown metric")
        }
        if let database {
            let exists = FileManager.default.fileExists(atPath: database)
            return try measure(database, metric, fills: !exists, searches: exists)
        }
        let temporary = "\(data)/kvbench-\(UUID().uuidString).cblite2"
        Interruption.remove([temporary])
        defer { try? FileManager.default.removeItem(atPath: temporary) }
        try measure(temporary, metric, fills: true, searches: true)
    }

    private func measure(
        _ path: String, _ metric: VectorMetric, fills: Bool, searches: Bool
    ) throws {
        let file = try DataFile(path: path, options: DataFileOptions(access: .create))
        defer { file.close() }
        let benchmark = try VectorBenchmark(
            file: file, vectors: VectorFile("\(data)/vectors.f32", dimensions),
            queries: VectorFile("\(data)/queries.f32", dimensions),
            truth: Data(contentsOf: URL(fileURLWithPath: "\(data)/truth.i32")),
            options: VectorIndexOptions(dimensions: dimensions, metric: metric))
        if fills { print(try benchmark.fill()) }
        if searches { print(try benchmark.search(probes: [nil] + probes, replaces: replaces)) }
    }
}
