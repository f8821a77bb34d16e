public import DataFileCore

extension ServerStore {
    /// Writes what has changed of servers since the list, in a transaction of its own. What is
    /// there is read before, so that nobody who writes waits for that.
    @discardableResult
    public func update(loads: [ContinuousServerProperties]) throws -> LoadChange {
        _ = try read { try list(in: $0) }
        return try write { try update(loads: loads, in: $0) }
    }

    /// Writes what has changed of servers since the list; no document of a server is touched.
    ///
    /// A server that is under maintenance here and up by the loads stays as it is: which of its
    /// endpoints is up only the next list says.
    ///
    /// - Returns: what has become of them.
    @discardableResult
    public func update(
        loads: [ContinuousServerProperties], in transaction: Transaction
    ) throws -> LoadChange {
        let old = try list(in: transaction)
        var change = LoadChange()
        for properties in loads {
            guard let known = old.row(properties.serverId) else {
                change.unknown.append(properties.serverId)
                continue
            }
            guard !known.isUnderMaintenance || properties.status == 0 else {
                change.ignored.append(properties.serverId)
                continue
            }
            let status = LogicalStatus(
                status: properties.status, load: properties.load, score: properties.score)
            guard status != known.status else { continue }
            try write(status, DocumentID.naming(properties.serverId), in: transaction)
            change.updated += 1
        }
        return change
    }
}
