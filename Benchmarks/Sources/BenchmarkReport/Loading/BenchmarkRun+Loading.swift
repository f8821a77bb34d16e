internal import Foundation

/// Why a file of results cannot be used: one line with the problem, the file, and what to do.
public struct BenchmarkFileError: Error, CustomStringConvertible, Equatable {
    /// The file.
    public var path: String
    /// What is wrong with it.
    public var problem: String
    /// What to do.
    public var advice: String

    /// One line.
    public var description: String { "\(path): \(problem); \(advice)" }
}

extension BenchmarkRun {
    /// The maximum size of a file; the file of a run has a few hundred kB.
    private static let largestFile = 64_000_000

    /// Reads a file written by `kvbench run --json`.
    ///
    /// Throws if it is not such a file, has another format, or contains impossible numbers.
    public init(contentsOf path: String) throws(BenchmarkFileError) {
        let data = try Self.bytes(path)
        let head = try Self.decode(Head.self, data, path)
        guard let format = head.format, head.hasWorkloads else {
            throw BenchmarkFileError(
                path: path, problem: "this is JSON, but not a result of kvbench",
                advice: Self.whatToGive)
        }
        guard format == Self.currentFormat else {
            throw BenchmarkFileError(
                path: path,
                problem: "its format is \(format), and this kvbench reads \(Self.currentFormat)",
                advice: "measure again, or use the kvbench that wrote it")
        }
        self = try Self.decode(BenchmarkRun.self, data, path)
        if let problem {
            throw BenchmarkFileError(
                path: path, problem: problem, advice: "the file is damaged: measure again")
        }
    }

    private static let whatToGive = "give a file that `kvbench run --json` wrote"

    private static func bytes(_ path: String) throws(BenchmarkFileError) -> Data {
        let manager = FileManager.default
        func failure(_ problem: String) -> BenchmarkFileError {
            BenchmarkFileError(path: path, problem: problem, advice: whatToGive)
        }
        var isDirectory: ObjCBool = false
        guard manager.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw failure("the file does not exist")
        }
        guard !isDirectory.boolValue else { throw failure("this is a directory") }
        let size = (try? manager.attributesOfItem(atPath: path))?[.size] as? NSNumber
        guard let size, size.intValue <= largestFile else {
            throw failure("it has more than \(largestFile / 1_000_000) MB")
        }
        guard let data = manager.contents(atPath: path) else { throw failure("it cannot be read") }
        return data
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type, _ data: Data, _ path: String
    ) throws(BenchmarkFileError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch {
            throw BenchmarkFileError(path: path, problem: reason(error), advice: whatToGive)
        }
    }

    private static func reason(_ error: any Error) -> String {
        func place(_ context: DecodingError.Context) -> String {
            let keys = context.codingPath.map { key in
                key.intValue.map { "[\($0)]" } ?? "." + key.stringValue
            }
            return keys.isEmpty ? "the file" : "`\(keys.joined().drop { $0 == "." })`"
        }
        switch error as? DecodingError {
        case .keyNotFound(let key, let context):
            return "\(place(context)) has no `\(key.stringValue)`"
        case .typeMismatch(let type, let context):
            return "\(place(context)) is not of type \(type)"
        case .valueNotFound(let type, let context):
            return "\(place(context)) is null instead of \(type)"
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            return "\(place(context)) has an invalid value"
        default: return "this is not JSON"
        }
    }

    /// The fields that distinguish a result from the JSON of other tools.
    private struct Head: Decodable {
        let format: Int?
        let hasWorkloads: Bool

        private enum Keys: String, CodingKey { case format, workloads }

        init(from decoder: any Decoder) throws {
            // The JSON may also be an array, for example.
            let values = try? decoder.container(keyedBy: Keys.self)
            format = try? values?.decodeIfPresent(Int.self, forKey: .format)
            hasWorkloads = values?.contains(.workloads) ?? false
        }
    }

    /// The first impossible value.
    private var problem: String? {
        guard settings.people > 0 else { return "`settings.people` is \(settings.people)" }
        var names: Set<String> = []
        for workload in workloads {
            if !names.insert(workload.name).inserted {
                return "the workload \"\(workload.name)\" is in it twice"
            }
            if let problem = workload.problem {
                return "the workload \"\(workload.name)\" has \(problem)"
            }
        }
        return figures.lazy.compactMap { figure in
            (figure.rounds + (figure.baseline ?? [])).first { !$0.isFinite }
                .map { "the figure \"\(figure.name)\" has a round of \($0)" }
        }.first
    }
}

extension WorkloadResult {
    fileprivate var problem: String? {
        guard amount > 0 else { return "an amount of \(amount)" }
        guard !processor.rounds.isEmpty, !wall.rounds.isEmpty else { return "no rounds" }
        let times = processor.rounds + wall.rounds + [processor.p99, wall.p99, first]
        let latencies = (operations ?? []).flatMap { [$0.p50, $0.p95, $0.p99, $0.maximum] }
        return (times + latencies).first { !($0 >= 0 && $0.isFinite) }.map { "a time of \($0)" }
    }
}
