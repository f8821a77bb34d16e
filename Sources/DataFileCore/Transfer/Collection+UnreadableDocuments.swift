extension Collection {
    /// The documents whose bodies are damaged so that they have no properties in queries and
    /// indexes; nil if there are none.
    ///
    /// It reads all rows, in the order of their ids.
    ///
    /// Throws `.notFound` if there is no such collection.
    package func unreadableDocuments(in snapshot: Snapshot) throws -> UnreadableDocuments? {
        let functions = try snapshot.session().functions
        var found: UnreadableDocuments?
        try keyStore.forEachStoredRow(in: snapshot) { row in
            guard !row.isInTombstoneTable else { return false }
            let flags = DocumentFlags(rawValue: UInt16(truncatingIfNeeded: row.flags))
            let isDamaged = row.withBody { $0.map { functions.isUnreadableBody($0) } ?? false }
            if isDamaged, !flags.contains(.deleted) { found.add(keyStore.name, row.key) }
            return true
        }
        return found
    }
}
