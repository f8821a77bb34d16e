internal import SQLCore
internal import StoreFormat

extension Snapshot {
    /// The sequence of a store's latest change, as `kvmeta` and the rows have it.
    package func lastSequence(_ tables: StoreTables) throws -> Int64 {
        if let known = tables.lastSequence { return known }
        let session = try session()
        let stored = try session.lastSequence(tables.name)
        let last = max(
            stored, try state.recovered.sequence(tables, stored: stored, session: session))
        tables.lastSequence = last
        if self is Transaction, last > LazyIndex.worthwhileRows {
            // The next time, in this process or another, it need not be looked for.
            try LazyIndex.sequences.want(for: tables, in: self)
        }
        return last
    }
}

extension Session {
    /// A store's last sequence as `kvmeta` has it, 0 if it has none.
    func lastSequence(_ name: KeyStoreName) throws -> Int64 {
        try first(
            "SELECT lastSeq FROM kvmeta WHERE name=?", bind: { try $0.bind(name.rawName, at: 1) },
            row: { $0.long(at: 0) }) ?? 0
    }
}
