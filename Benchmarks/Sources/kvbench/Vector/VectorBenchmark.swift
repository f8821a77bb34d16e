import Dispatch
import DocumentStore
import Foundation

/// Fills a data file with vectors, and measures its vector index.
struct VectorBenchmark: Sendable {
    let file: DataFile
    let vectors: VectorFile
    let queries: VectorFile
    /// The positions of the nearest vectors of each query, as 32-bit numbers.
    let truth: Data
    let options: VectorIndexOptions

    private static let collection = DocumentCollection(CollectionName.default)
    private static let found = 10
    private static let index = "byVector"
    /// The number of vectors that one transaction writes.
    private static let batch = 100

    /// What a query with a number of probes finds, and takes.
    private struct Search: Encodable {
        var probes: Int?
        var recall, perSecond, perSecondOfTwo: Double
    }

    private struct FillReport: Encodable {
        var count: Int
        var buildSeconds = 0.0
        var microsecondsOfWriteWithoutIndex = 0.0
        var peakMegabytes = 0
        var tableBytes: [String: Int] = [:]
    }

    private struct SearchReport: Encodable {
        var count: Int
        var searches: [Search] = []
        var microsecondsOfWrite = 0.0
        var recallAfterReplacing: Double?
    }

    /// Writes the documents, and creates the index.
    func fill() throws -> String {
        var report = FillReport(count: vectors.count)
        let some = min(5000, vectors.count / 10)
        try write(0..<vectors.count, batch: 10_000) { "\($0)" }
        report.microsecondsOfWriteWithoutIndex = try microseconds(some) {
            try write(0..<some, batch: Self.batch) { "\($0)" }
        }
        _ = ProcessMemory.resetPeak()
        report.buildSeconds = try Double(microseconds(1_000_000) { try createIndex() })
        report.peakMegabytes = ProcessMemory.peak() >> 20
        report.tableBytes = try tableBytes()
        return try Self.json(report)
    }

    /// Searches, changes some documents and restores them, and replaces half of them if requested.
    func search(probes: [Int?], replaces: Bool) throws -> String {
        var report = SearchReport(count: vectors.count)
        for probes in probes { report.searches.append(try search(probes)) }
        let some = min(5000, vectors.count / 10)
        report.microsecondsOfWrite = try microseconds(some) {
            // With other documents, so that each vector is another one.
            try write(0..<some, batch: Self.batch) { "\(vectors.count - 1 - $0)" }
        }
        try write(0..<some, batch: Self.batch) { "\($0)" }
        try write((vectors.count - some)..<vectors.count, batch: Self.batch) { "\($0)" }
        if replaces {
            try replaceHalf()
            report.recallAfterReplacing = try search(nil).recall
        }
        return try Self.json(report)
    }

    private static func json(_ report: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(report), as: UTF8.self)
    }

    /// The bytes of each table of the index.
    private func tableBytes() throws -> [String: Int] {
        let tables = try file.statistics().trees?.filter { $0.name.contains(":vectors:") } ?? []
        return Dictionary(
            tables.map { (String($0.name.split(separator: ":").last ?? ""), $0.bytes) },
            uniquingKeysWith: +)
    }

    /// The processor time of each of `count` operations.
    private func microseconds(_ count: Int, _ body: () throws -> Void) rethrows -> Double {
        let start = Clock.processor()
        try body()
        return (Clock.processor() - start) * 1e6 / Double(count)
    }

    private func write(_ range: Range<Int>, batch: Int, _ id: (Int) -> String) throws {
        for first in stride(from: range.lowerBound, to: range.upperBound, by: batch) {
            try file.write { transaction in
                for index in first..<min(first + batch, range.upperBound) {
                    _ = try Self.collection.save(id(index), in: transaction) { encoder in
                        encoder.beginDictionary()
                        try encoder.writeKey("v")
                        encoder.beginArray()
                        for number in vectors.numbers(index) { try encoder.writeFloat(number) }
                        try encoder.endArray()
                        try encoder.endDictionary()
                    }
                }
            }
        }
    }

    private func createIndex() throws {
        let spec = IndexSpec.vector(Self.index, on: "v", options)
        try file.write { _ = try Self.collection.createIndex(spec, in: $0) }
    }

    /// Replaces each second document by one with another ID.
    private func replaceHalf() throws {
        for first in stride(from: 0, to: vectors.count, by: 2 * Self.batch) {
            let indices = stride(from: first, to: min(first + 2 * Self.batch, vectors.count), by: 2)
            try file.write { transaction in
                for index in indices {
                    _ = try Self.collection.purge("\(index)", in: transaction)
                }
            }
            for index in indices { try write(index..<index + 1, batch: 1) { "\($0)" } }
        }
    }
}

// Searching.
extension VectorBenchmark {
    private func search(_ probes: Int?) throws -> Search {
        let query = try Query(
            "SELECT META().id FROM _ ORDER BY APPROX_VECTOR_DISTANCE(v, $vector, "
                + "'\(options.metric.rawValue)', \(probes.map { "\($0)" } ?? "NULL")) "
                + "LIMIT \(Self.found)")
        let numbers = (0..<queries.count).map { queries[$0] }
        // Once before, so that the pages are in memory.
        var hits = 0
        for index in numbers.indices {
            let found = try ids(query, numbers[index])
            hits += found.intersection(nearest(index)).count
        }
        let one = try perSecond(query, numbers, threads: 1)
        let two = try perSecond(query, numbers, threads: 2)
        return Search(
            probes: probes, recall: Double(hits) / Double(Self.found * numbers.count),
            perSecond: one, perSecondOfTwo: two)
    }

    private func perSecond(_ query: Query, _ numbers: [[UInt8]], threads: Int) throws -> Double {
        let start = Clock.wall()
        nonisolated(unsafe) var failures = 0
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            do {
                for numbers in numbers { _ = try ids(query, numbers) }
            } catch {
                failures += 1
            }
        }
        guard failures == 0 else { throw BenchmarkError(message: "a search failed") }
        return Double(threads * numbers.count) / (Clock.wall() - start)
    }

    private func ids(_ query: Query, _ numbers: [UInt8]) throws -> Set<String> {
        try file.read { snapshot in
            var ids: Set<String> = []
            let rows = try query.rows(in: snapshot, ["vector": .data(numbers)])
            while let row = try rows.next() {
                if case .string(let id) = row[0] { ids.insert(id) }
            }
            return ids
        }
    }

    private func nearest(_ query: Int) -> Set<String> {
        truth.withUnsafeBytes { truth in
            Set(
                (0..<Self.found).map {
                    let offset = 4 * (query * Self.found + $0)
                    return "\(truth.loadUnaligned(fromByteOffset: offset, as: Int32.self))"
                })
        }
    }
}
