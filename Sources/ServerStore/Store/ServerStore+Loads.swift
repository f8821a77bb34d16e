public import DocumentStore

extension ServerStore {
    /// Writes what has changed of servers since the list, in a transaction of its own.
    @discardableResult
    public func update(loads: [ContinuousServerProperties]) throws -> LoadChange {
        try write { try update(loads: loads, in: $0) }
    }

    /// Writes what has changed of servers since the list; no document of a server is touched.
    ///
    /// A server that is under maintenance here and up by the loads stays as it is: which of its
    /// endpoints is up only the next list says. Of two loads of one server the last one counts.
    ///
    /// - Returns: what has become of them.
    ///
    /// Throws `.invalidNumber` for a score that is none; nothing is written then. Loads are held
    /// between 0 and 100.
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
        for (place, properties) in loads.enumerated() where !stored.isReplaced(place) {
            guard let known = stored.known[place] else {
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

    /// The documents of servers that nobody can connect to, whatever their status says.
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

/// What a store has of the servers of some loads.
private struct StoredLoads {
    /// A document with what it says.
    struct Known {
        let document: Document
        let status: StatusRecord
        var isUp: Bool
    }

    /// For each of the loads what there is; nil for what is not there, or cannot be read.
    private(set) var known: [Known?]
    private var places: [ExactString: Int]
    private var replaced: Set<Int> = []
    private var reader = RecordReader()

    init(
        _ loads: [ContinuousServerProperties], _ collection: DocumentCollection,
        in snapshot: Snapshot
    ) throws {
        known = Array(repeating: nil, count: loads.count)
        places = [ExactString: Int](minimumCapacity: loads.count)
        for (place, properties) in loads.enumerated() {
            let key = ExactString(DocumentID.naming(properties.serverId))
            if let other = places.updateValue(place, forKey: key) { replaced.insert(other) }
        }
        // A few are looked up, of many all are gone through.
        if loads.count < 100 {
            for key in Array(places.keys) {
                var options = RecordEnumerator.Options()
                (options.startKey, options.endKey) = (key.string, key.string)
                try note(collection, options, in: snapshot)
            }
        } else {
            try note(collection, .unsorted, in: snapshot)
        }
    }

    /// A server has no endpoint that is up.
    mutating func noteDown(_ key: String) {
        if let place = places[ExactString(key)] { known[place]?.isUp = false }
    }

    /// Whether a later one of the loads is of the same server.
    func isReplaced(_ place: Int) -> Bool { !replaced.isEmpty && replaced.contains(place) }

    private mutating func note(
        _ collection: DocumentCollection, _ options: RecordEnumerator.Options, in snapshot: Snapshot
    ) throws {
        try collection.forEach(options, in: snapshot) { result in
            guard case .success(let document) = result,
                let place = places[ExactString(document.id)],
                let status = document.body?.withUnsafeRoot({ root in
                    root.dictionary.flatMap { reader.status($0) }
                })
            else { return }
            known[place] = Known(document: document, status: status, isUp: status.status != 0)
        }
    }
}

extension StatusRecord {
    fileprivate init(_ properties: ContinuousServerProperties) {
        self.init(status: properties.status, load: properties.load, score: properties.score)
    }
}
