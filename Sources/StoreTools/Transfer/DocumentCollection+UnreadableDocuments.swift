package import DataFileCore
internal import FleeceLite
internal import SQLCore
package import StoreFormat

extension DocumentCollection {
    /// Finds the live documents with damaged bodies, whatever the depth of the damage. Indexes may
    /// lack their values or have incorrect ones. Returns nil if there are none.
    ///
    /// This reads all rows completely, in the order of their IDs.
    ///
    /// Throws `.notFound` if the collection does not exist, `.corruptData` for damaged shared keys,
    /// and `CancellationError`.
    package func unreadableDocuments(in snapshot: Snapshot) throws -> UnreadableDocuments? {
        let check = RowBodyCheck(sharedKeys: try snapshot.requireSharedKeys())
        let context = try snapshot.connection().context
        var found: UnreadableDocuments?
        var count = 0
        try keyStore.forEachStoredRow(in: snapshot) { row in
            guard !row.isInTombstoneTable else { return false }
            if row.isUnreadable(check) { found.add(keyStore.name, row.key) }
            count &+= 1
            if count % 256 == 0 { try context.checkCancellation() }
            return true
        }
        return found
    }

    /// Whether the body of a document is damaged, whatever the depth of the damage; false if the
    /// document does not exist.
    ///
    /// Throws `.notFound` if the collection does not exist, `.corruptData` for damaged shared keys.
    package func isUnreadable(_ id: String, in snapshot: Snapshot) throws -> Bool {
        let check = RowBodyCheck(sharedKeys: try snapshot.requireSharedKeys())
        guard let body = try keyStore.get(id, in: snapshot)?.currentBody else { return false }
        return body.withUnsafeBytes { !check.isReadable($0) }
    }
}

extension StoredRowView {
    /// Whether a row is that of a live document with a damaged body.
    fileprivate func isUnreadable(_ check: RowBodyCheck) -> Bool {
        let flags = DocumentFlags(rawValue: UInt16(truncatingIfNeeded: flags))
        guard !flags.contains(.deleted) else { return false }
        return withVersion { version in
            withExtra { extra in
                // A number in the column is damage: it is neither a body nor a missing one.
                !check.hasWholeCurrentBody(
                    version: version ?? Self.none, body: statement.bytes(at: 4),
                    extra: extra ?? Self.none)
            }
        }
    }

    private static var none: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}
