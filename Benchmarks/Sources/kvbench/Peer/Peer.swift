import Foundation
import SQLCore

/// A database of people as a user of another library would have it, in a directory of its own:
/// created once, and copied for each workload.
protocol PeerFile: AnyObject {
    static var directories: Result<PeerDirectories, any Error> { get }
    /// SQL that counts the people and sums their ages.
    static var recount: String { get }

    init(_ directory: String) throws
    func close() throws
}

extension PeerFile {
    fileprivate static func path(_ template: StoreData.Template) throws -> String {
        let directories = try Self.directories.get()
        switch template {
        case .empty: return directories.empty
        case .filled: return directories.filled
        case .expiring: throw BenchmarkError(message: "\(self) has no file \(template)")
        }
    }

    fileprivate static func outcome(_ directory: String) throws -> StoreWorkload.Outcome {
        let context = try SQLContext(path: directory + "/db.sqlite3")
        let row = try context.selectAll(sql: recount).first ?? []
        guard row.count == 2, let count = row[0].longValue, let ages = row[1].longValue else {
            throw BenchmarkError(message: "\(directory) cannot be recounted")
        }
        return StoreWorkload.Outcome(count: Int(count), ages: Int(ages), lastSequence: 0)
    }
}

/// The directories of a peer's files, in memory.
struct PeerDirectories: Sendable {
    let empty: String
    let filled: String
    /// With the indexes that queries use.
    let indexed: String

    /// The engine's settings of connections, except that indexes may call JSON functions.
    static let pragmas = BaselineFile.pragmas + "; PRAGMA trusted_schema=on"

    /// Calls `make` with the path of each database, once its directory exists: `fill` and `index`
    /// on copies of the previous one.
    init(
        _ name: String, make: (String) throws -> Void, fill: (String, StoreData) throws -> Void,
        index: (String) throws -> Void
    ) throws {
        let data = try StoreData.get()
        let files = FileManager.default
        empty = "\(StoreData.directory)/\(name)-empty"
        filled = "\(StoreData.directory)/\(name)"
        indexed = "\(StoreData.directory)/\(name)-indexed"
        try files.createDirectory(atPath: empty, withIntermediateDirectories: true)
        try make(empty)
        try files.copyItem(atPath: empty, toPath: filled)
        try fill(filled, data)
        try files.copyItem(atPath: filled, toPath: indexed)
        try index(indexed)
    }
}

extension StoreWorkload {
    /// A workload as a user of another library would do it, named accordingly.
    ///
    /// The outcome is compared except for what only this project's files have: sequences,
    /// tombstones and expirations.
    func peer<File: PeerFile>(
        _ who: String, baseline: String, _ pass: @escaping (File, StoreData) throws -> Int
    ) -> Workload {
        var own = self
        own.name += ": " + who
        own.outcome = outcome.map { expected in
            { data in
                let all = expected(data)
                return Outcome(count: all.count, ages: all.ages, lastSequence: 0)
            }
        }
        let source = Source(path: File.path, outcome: File.outcome)
        return own.workload(baseline: baseline, of: source) { path in
            let file = try File(path)
            return Opened(beside: nil) {
                try pass(file, $0)
            } close: {
                try file.close()
            }
        }.asPeer
    }
}

extension BenchmarkQuery {
    /// A query as a user of another library would run it, named accordingly.
    func peer(_ who: String, _ open: @escaping () throws -> () throws -> Int) -> Workload {
        workload("\(name): \(who)", baseline: name + ": C", open).asPeer
    }
}
