internal import DocumentStore
internal import Foundation

/// Compares a store with a list to be written.
///
/// Servers are compared as bytes: encoding one takes a fraction of the time of reading one.
struct ListComparison {
    /// What has to be written for a server of the list.
    struct Difference {
        /// Whether the store has it.
        var isStored = false
        /// Whether its document differs or is missing.
        var isOther = true
        /// Whether its load differs or is missing.
        var hasOtherLoad = true
    }

    /// A server of the store that is not in the list.
    struct Stale {
        let key: String
        let id: String
    }

    private(set) var differences: [Difference]
    /// Sorted by ID.
    private(set) var stale: [Stale] = []
    /// The keys of the documents of the list.
    let keys: [String]
    private var indices: [ExactString: Int]

    /// - Parameter scope: the servers that are stale if they are not in the list; nil for none.
    init(
        _ servers: [VPNServer], scope: ListScope?, _ collections: Collections,
        in snapshot: Snapshot
    ) throws {
        keys = servers.map { DocumentID.naming($0.id) }
        differences = Array(repeating: Difference(), count: servers.count)
        indices = [ExactString: Int](minimumCapacity: servers.count)
        for (index, key) in keys.enumerated() { indices[ExactString(key)] = index }
        try compareServers(servers, scope, collections.logicals, in: snapshot)
        try compareLoads(servers, collections.loads, in: snapshot)
        stale.sort { ServerOrdering.isLess($0.id, $1.id) }
    }

    private mutating func compareServers(
        _ servers: [VPNServer], _ scope: ListScope?, _ collection: DocumentCollection,
        in snapshot: Snapshot
    ) throws {
        var encoder = FleeceEncoder(sharedKeys: snapshot.sharedKeys)
        // A body with a key unknown to the file differs in any case.
        encoder.addsSharedKeys = false
        var reader = RecordReader()
        try collection.records(.unsorted, in: snapshot).forEachRow { row in
            guard let index = indices[ExactString(row.key)] else {
                guard let scope else { return true }
                let record = try row.withProperties { $0.flatMap { reader.logical($0) } }
                if scope.contains(record) {
                    stale.append(Stale(key: row.key, id: record?.id ?? row.key))
                }
                return true
            }
            try LogicalRecord(servers[index]).write(to: &encoder)
            let isSame = try encoder.withFinishedBytes { bytes in
                row.withBody { $0.holdsSameBytes(as: bytes) }
            }
            differences[index].isStored = true
            differences[index].isOther = !isSame
            return true
        }
    }

    private mutating func compareLoads(
        _ servers: [VPNServer], _ collection: DocumentCollection, in snapshot: Snapshot
    ) throws {
        var reader = RecordReader()
        try collection.records(.unsorted, in: snapshot).forEachRow { row in
            guard let index = indices[ExactString(row.key)] else { return true }
            let status = try row.withProperties { $0.flatMap { reader.status($0) } }
            differences[index].hasOtherLoad =
                status != StatusRecord(servers[index].logical)
            return true
        }
    }
}

extension ListScope {
    /// Whether a list of this scope covers a server; only a list of all servers covers a document
    /// that cannot be read.
    fileprivate func contains(_ record: LogicalRecord?) -> Bool {
        switch self {
        case .all: true
        case .maxTier(let highest): record.map { $0.tier <= highest } ?? false
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func holdsSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let base = baseAddress, let otherBase = other.baseAddress else { return true }
        return memcmp(base, otherBase, count) == 0
    }
}
