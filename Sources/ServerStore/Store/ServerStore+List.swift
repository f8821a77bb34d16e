public import DocumentStore
internal import Synchronization

extension ServerStore {
    /// Returns all servers of a snapshot, as a list in memory.
    ///
    /// The cached list is returned if nothing has changed, which costs four numbers of the file; if
    /// only loads have changed, the servers are not read again. Otherwise all documents are read,
    /// in about 7 ms for 1,900 servers. Documents that cannot be read are left out, and so are
    /// servers without a load.
    ///
    /// In a transaction that has written servers, the list is read again for each call and is not
    /// cached: read it once and query the returned value.
    /// ```swift
    /// let counts = try serverStore.read { snapshot in
    ///     let list = try serverStore.list(in: snapshot)
    ///     return (list.serverCount, list.servers(filteredBy: [.isNotUnderMaintenance]).count)
    /// }
    /// print("\(counts.1) of \(counts.0) servers are up")
    /// ```
    ///
    /// - Parameter snapshot: a snapshot or a transaction of the store's file.
    /// - Returns: the list, an immutable value that stays valid after the snapshot ends.
    /// - Throws: a `StoreError` if the file cannot be read.
    public func list(in snapshot: Snapshot) throws -> ServerList {
        let version = try ListCache.Version(collections, in: snapshot)
        let last = cache.last
        if let last, last.version == version { return last.list }
        let loads = try loads(in: snapshot)
        let rows: [ServerRow]
        if let last, last.version.logicals == version.logicals,
            let updated = last.list.rows(with: loads)
        {
            rows = updated
        } else {
            rows = try self.rows(loads, in: snapshot)
        }
        let list = ServerList(rows: rows, names: names)
        // A transaction may be rolled back, and its sequence numbers may be assigned again.
        if !(snapshot is Transaction) { cache.keep(list, version) }
        return list
    }

    /// Returns the list of the latest commit, from a snapshot of its own.
    ///
    /// It blocks the calling thread if the list has to be read; in a task use the asynchronous
    /// variant. See ``list(in:)`` for caching and cost.
    /// ```swift
    /// let list = try serverStore.currentList()
    /// let german = list.servers(filteredBy: [.exitCountryCode("DE")], orderedBy: .fastest)
    /// ```
    ///
    /// - Returns: an immutable list, which does not follow later commits.
    /// - Throws: a `StoreError` if the file cannot be read, such as `.notOpen` after it was closed.
    public func currentList() throws -> ServerList { try read { try list(in: $0) } }

    /// The asynchronous variant of `currentList()`, which does not block a thread on the disk.
    ///
    /// - Returns: an immutable list, which does not follow later commits.
    /// - Throws: a `StoreError` if the file cannot be read.
    public func currentList() async throws -> ServerList { try await read { try list(in: $0) } }

    /// The loads by the keys of their documents.
    func loads(in snapshot: Snapshot) throws -> [String: StatusRecord] {
        var reader = RecordReader()
        var loads: [String: StatusRecord] = [:]
        try collections.loads.keyStore.records(.unsorted, in: snapshot).forEachRow { row in
            let status = try row.withProperties { $0.flatMap { reader.status($0) } }
            if let status { loads[row.key] = status }
            return true
        }
        return loads
    }

    private func rows(
        _ loads: [String: StatusRecord], in snapshot: Snapshot
    ) throws -> [ServerRow] {
        var reader = RecordReader()
        var rows: [ServerRow] = []
        rows.reserveCapacity(loads.count)
        try collections.logicals.keyStore.records(.unsorted, in: snapshot).forEachRow { row in
            guard let status = loads[row.key] else { return true }
            let record = try row.withProperties { $0.flatMap { reader.logical($0) } }
            if let record { rows.append(ServerRow(record, status)) }
            return true
        }
        if !rows.isSorted { rows.sort { ServerOrdering.isLess($0.id, $1.id) } }
        return rows
    }
}

extension RecordEnumerator.Options {
    /// All records with their bodies, in the cheapest order.
    static var unsorted: Self {
        var options = Self()
        options.order = .unsorted
        return options
    }
}

extension [ServerRow] {
    fileprivate var isSorted: Bool {
        zip(self, dropFirst()).allSatisfy { ServerOrdering.isLess($0.id, $1.id) }
    }
}

/// The cache of the list that was read last, for one handle.
final class ListCache: Sendable {
    /// The version of a list; it changes with each commit that changes servers or their loads.
    struct Version: Equatable, Sendable {
        var logicals: [Int64]
        var loads: [Int64]

        init(_ collections: Collections, in snapshot: Snapshot) throws {
            func numbers(_ collection: DocumentCollection) throws -> [Int64] {
                [
                    try collection.keyStore.lastSequence(in: snapshot),
                    try collection.keyStore.purgeCount(in: snapshot),
                ]
            }
            logicals = try numbers(collections.logicals)
            loads = try numbers(collections.loads)
        }
    }

    struct Entry: Sendable {
        let version: Version
        let list: ServerList
    }

    private let entry = Mutex<Entry?>(nil)

    /// The list that was read last.
    var last: Entry? { entry.withLock { $0 } }

    func keep(_ list: ServerList, _ version: Version) {
        entry.withLock { $0 = Entry(version: version, list: list) }
    }
}
