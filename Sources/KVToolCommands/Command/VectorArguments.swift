internal import ArgumentParser
internal import DocumentStore

/// The options of a vector index.
struct VectorArguments: ParsableArguments {
    @Flag(help: "Index vectors: arrays of numbers, for APPROX_VECTOR_DISTANCE.") var vector = false
    @Option(
        name: [.customLong("dimensions"), .customLong("dim")],
        help: "Numbers of each vector, 2 to 4096.")
    var dimensions: Int?
    @Option(help: "How distances are measured: euclidean2, euclidean, cosine or dot.")
    var metric: String?
    @Option(help: "How vectors are stored: SQ8, a byte for each number, or none, 4 bytes.")
    var encoding: String?
    @Option(help: "Cells that a query searches; more find more and take longer.")
    var probes: Int?
    @Flag(help: "The application computes the vectors, instead of each write.") var lazy = false

    func validate() throws {
        guard vector else {
            let isGiven =
                dimensions != nil || metric != nil || encoding != nil || probes != nil || lazy
            guard !isGiven else {
                throw ValidationError(
                    "--dimensions, --metric, --encoding, --probes and --lazy need --vector")
            }
            return
        }
        guard let dimensions, 2...4096 ~= dimensions else {
            throw ValidationError("--vector needs --dimensions, a number from 2 to 4096")
        }
        if let metric, VectorMetric(rawValue: metric) == nil {
            throw ValidationError(
                "--metric is \(Self.list(VectorMetric.allCases.map(\.rawValue)))")
        }
        if let encoding, VectorEncoding(rawValue: encoding) == nil {
            throw ValidationError(
                "--encoding is \(Self.list(VectorEncoding.allCases.map(\.rawValue)))")
        }
        guard probes.map({ $0 > 0 }) ?? true else {
            throw ValidationError("--probes is at least 1")
        }
    }

    private static func list(_ names: [String]) -> String {
        names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }

    /// Nil for another kind of index.
    var options: VectorIndexOptions? {
        guard vector, let dimensions else { return nil }
        return VectorIndexOptions(
            dimensions: dimensions, metric: metric.flatMap(VectorMetric.init) ?? .euclideanSquared,
            encoding: encoding.flatMap(VectorEncoding.init) ?? .scalarQuantizer, probes: probes,
            isLazy: lazy)
    }
}
