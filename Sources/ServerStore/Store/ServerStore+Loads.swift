public import DocumentStore

extension ServerStore {
    /// Writes loads of servers in a transaction of its own; see ``update(loads:in:)``.
    ///
    /// - Parameter loads: the new properties, in any order.
    /// - Returns: the number of changed servers, and the IDs of unknown and of ignored ones.
    /// - Throws: ``ServerStoreError`` with ``ServerStoreError/Code/invalidNumber``; a `StoreError`.
    @discardableResult
    public func update(loads: [ContinuousServerProperties]) throws -> LoadChange {
        try write { try update(loads: loads, in: $0) }
    }

    /// Writes loads of servers; the documents of the servers are not changed.
    ///
    /// A server that is under maintenance in the store but up in the loads stays unchanged: only
    /// the next list contains which endpoint is up. A server that goes down is written at once. Of
    /// two loads of one server, the last one is used.
    /// ```swift
    /// let read = try ServerListJSON.readLoads(responseData)
    /// let change = try serverStore.write { try serverStore.update(loads: read.loads, in: $0) }
    /// print("\(change.updated) updated, \(change.ignored.count) stay under maintenance")
    /// ```
    /// Up to 99 loads are looked up by key; for more, all documents of loads are read. Only changed
    /// ones are written, and a cached list reads only the loads again.
    ///
    /// - Parameters:
    ///   - loads: the new properties, in any order; servers without one are unchanged. Loads are
    ///     limited to 0 to 100.
    ///   - transaction: the transaction to write in.
    /// - Returns: the number of changed servers, and the IDs of unknown and of ignored ones.
    /// - Throws: ``ServerStoreError`` with ``ServerStoreError/Code/invalidNumber`` for a score that
    ///   is not finite; nothing is written then. A `StoreError` if the file cannot be written.
    @discardableResult
    public func update(
        loads: [ContinuousServerProperties], in transaction: Transaction
    ) throws -> LoadChange {
        if let wrong = loads.first(where: { !$0.score.isFinite }) {
            throw ServerStoreError(
                .invalidNumber,
                "the score of the server \"\(wrong.serverId)\" cannot be \(wrong.score)")
        }
        var stored = try StoredLoads(loads, collections.loads, in: transaction)
        try forEachKeyWithoutEndpointUp(in: transaction) { stored.noteDown($0) }
        var change = LoadChange()
        for (index, properties) in loads.enumerated() where !stored.isReplaced(index) {
            guard let known = stored.known[index] else {
                change.unknown.append(properties.serverId)
                continue
            }
            guard known.isUp || properties.status == 0 else {
                change.ignored.append(properties.serverId)
                continue
            }
            let status = StatusRecord(properties)
            guard status != known.status else { continue }
            _ = try collections.loads.save(over: known.document, in: transaction) {
                try status.write(to: &$0)
            }
            change.updated += 1
        }
        return change
    }

    /// Visits the documents of servers that cannot be connected to, whatever their status.
    private func forEachKeyWithoutEndpointUp(
        in snapshot: Snapshot, _ body: (String) -> Void
    ) throws {
        let query = try Query(
            "SELECT META(l).id FROM vpn.logicals AS l WHERE l.hasEndpointUp = FALSE")
        let rows = try query.rows(in: snapshot)
        while let row = try rows.next() {
            if let key = row[0].string { body(key) }
        }
    }
}

/// The stored documents of the servers of some loads.
private struct StoredLoads {
    /// A document with its content.
    struct Known {
        let document: Document
        let status: StatusRecord
        var isUp: Bool
    }

    /// The stored document for each of the loads; nil if it is missing or cannot be read.
    private(set) var known: [Known?]
    private var indices: [ExactString: Int]
    private var replaced: Set<Int> = []
    private var reader = RecordReader()

    init(
        _ loads: [ContinuousServerProperties], _ collection: DocumentCollection,
        in snapshot: Snapshot
    ) throws {
        known = Array(repeating: nil, count: loads.count)
        indices = [ExactString: Int](minimumCapacity: loads.count)
        for (index, properties) in loads.enumerated() {
            let key = ExactString(DocumentID.naming(properties.serverId))
            if let other = indices.updateValue(index, forKey: key) { replaced.insert(other) }
        }
        // A few are looked up by key; for many, all documents are scanned.
        if loads.count < 100 {
            for key in Array(indices.keys) {
                var options = RecordEnumerator.Options()
                (options.startKey, options.endKey) = (key.string, key.string)
                try note(collection, options, in: snapshot)
            }
        } else {
            try note(collection, .unsorted, in: snapshot)
        }
    }

    /// Marks a server as having no endpoint that is up.
    mutating func noteDown(_ key: String) {
        if let index = indices[ExactString(key)] { known[index]?.isUp = false }
    }

    /// Whether a later load in the array is of the same server.
    func isReplaced(_ index: Int) -> Bool { !replaced.isEmpty && replaced.contains(index) }

    private mutating func note(
        _ collection: DocumentCollection, _ options: RecordEnumerator.Options, in snapshot: Snapshot
    ) throws {
        try collection.forEach(options, in: snapshot) { result in
            guard case .success(let document) = result,
                let index = indices[ExactString(document.id)],
                let status = document.body?.withUnsafeRoot({ root in
                    root.dictionary.flatMap { reader.status($0) }
                })
            else { return }
            known[index] = Known(document: document, status: status, isUp: status.status != 0)
        }
    }
}

extension StatusRecord {
    fileprivate init(_ properties: ContinuousServerProperties) {
        self.init(status: properties.status, load: properties.load, score: properties.score)
    }
}
