internal import DocumentStore
internal import Foundation

/// What a store has beside a list that is to be written.
///
/// Servers are compared as bytes: encoding one again takes a fraction of what reading it does.
struct ListComparison {
    /// What is to be written of a server of the list.
    struct Difference {
        /// Whether the store has it.
        var isStored = false
        /// Whether its document is another one, or none.
        var isOther = true
        /// Whether its load is another one, or none.
        var hasOtherLoad = true
    }

    /// A server of the store that is not in the list.
    struct Stale {
        let key: String
        let id: String
    }

    private(set) var differences: [Difference]
    /// By id.
    private(set) var stale: [Stale] = []
    /// The keys of the documents of the list.
    let keys: [String]
    private var places: [ExactString: Int]

    /// - Parameter scope: the servers that are stale if they are not in the list; nil for none.
    init(
        _ servers: [VPNServer], scope: ListScope?, _ collections: Collections,
        in snapshot: Snapshot
    ) throws {
        keys = servers.map { DocumentID.naming($0.id) }
        differences = Array(repeating: Difference(), count: servers.count)
        places = [ExactString: Int](minimumCapacity: servers.count)
        for (place, key) in keys.enumerated() { places[ExactString(key)] = place }
        try compareServers(servers, scope, collections.logicals, in: snapshot)
        try compareLoads(servers, collections.loads, in: snapshot)
        stale.sort { ServerOrdering.isLess($0.id, $1.id) }
    }

    private mutating func compareServers(
        _ servers: [VPNServer], _ scope: ListScope?, _ collection: DocumentCollection,
        in snapshot: Snapshot
    ) throws {
        var encoder = FleeceEncoder(sharedKeys: snapshot.sharedKeys)
        // A body with a key that the file does not know is another one anyway.
        encoder.addsSharedKeys = false
        var reader = RecordReader()
        try collection.records(.unsorted, in: snapshot).forEachRow { row in
            guard let place = places[ExactString(row.key)] else {
                guard let scope else { return true }
                let record = try row.withProperties { $0.flatMap { reader.logical($0) } }
                if scope.contains(record) {
                    stale.append(Stale(key: row.key, id: record?.id ?? row.key))
                }
                return true
            }
            try LogicalRecord(servers[place]).write(to: &encoder)
            let isSame = try encoder.withFinishedBytes { bytes in
                row.withBody { $0.holdsSameBytes(as: bytes) }
            }
            differences[place].isStored = true
            differences[place].isOther = !isSame
            return true
        }
    }

    private mutating func compareLoads(
        _ servers: [VPNServer], _ collection: DocumentCollection, in snapshot: Snapshot
    ) throws {
        var reader = RecordReader()
        try collection.records(.unsorted, in: snapshot).forEachRow { row in
            guard let place = places[ExactString(row.key)] else { return true }
            let status = try row.withProperties { $0.flatMap { reader.status($0) } }
            differences[place].hasOtherLoad =
                status != StatusRecord(servers[place].logical)
            return true
        }
    }
}

extension ListScope {
    /// Whether a list of this kind says what becomes of a server; of one that cannot be read only
    /// a list of all servers does.
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
