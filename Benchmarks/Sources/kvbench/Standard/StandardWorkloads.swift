import Foundation
import StandardBenchmarks
import Synchronization

/// Benchmarks that other databases have, too: YCSB, LevelDB's db_bench, and YCSB-JSON.
enum StandardWorkloads {
    static func groups() -> [[Workload]] {
        CoreWorkloads.groups() + KeyValueWorkloads.groups() + CustomerWorkloads.groups()
    }

    private static let filled = Mutex<[String: String]>([:])

    /// The directory of a database on a disk, which is created and filled at its first use.
    static func directory(_ name: String, _ fill: (String) throws -> Void) throws -> String {
        if let directory = filled.withLock({ $0[name] }) { return directory }
        let directory = try newDirectory(name)
        try fill(directory)
        try DatabaseFile.flush(directory)
        filled.withLock { $0[name] = directory }
        return directory
    }

    /// The number of a group's series of passes.
    static func series(_ title: String) -> UInt64 { RecordKey.hash(title.utf8) }

    /// The path of a new directory on a disk.
    static func newDirectory(_ name: String) throws -> String {
        let directory = "\(StoreData.diskDirectory)/\(name)"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        return directory
    }
}

extension Workload {
    /// A workload of a database in a group: beside the first one, and as a peer unless it is this
    /// project's.
    static func standard(
        _ title: String, _ engine: String, beside first: String, isOwn: Bool,
        prepare: @escaping () throws -> Prepared
    ) -> Workload {
        let isFirst = engine == first
        return Workload(
            "\(title): \(engine)", baseline: isFirst ? nil : "\(title): \(first)",
            isPeer: !isFirst && !isOwn, isDurable: true, prepare: prepare)
    }
}
