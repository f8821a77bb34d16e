package import DataFileCore
internal import FleeceLite
internal import SQLCore
package import StoreFormat

extension DocumentCollection {
    /// The live documents whose bodies are damaged, at whatever depth, so that indexes may lack
    /// what stands in them, or have it wrong; nil if there are none.
    ///
    /// It reads all rows to their end, in the order of their ids.
    ///
    /// Throws `.notFound` if there is no such collection, `.corruptData` for damaged shared keys,
    /// and `CancellationError`.
    package func unreadableDocuments(in snapshot: Snapshot) throws -> UnreadableDocuments? {
        let check = RowBodyCheck(sharedKeys: try snapshot.requireSharedKeys())
        let context = try snapshot.session().context
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

    /// Whether the body of a document is damaged, at whatever depth; false if there is none.
    ///
    /// Throws `.notFound` if there is no such collection, and `.corruptData` for damaged shared
    /// keys.
    package func isUnreadable(_ id: String, in snapshot: Snapshot) throws -> Bool {
        let check = RowBodyCheck(sharedKeys: try snapshot.requireSharedKeys())
        guard let body = try keyStore.get(id, in: snapshot)?.currentBody else { return false }
        return body.withUnsafeBytes { !check.isReadable($0) }
    }
}

extension StoredRowView {
    /// Whether it is a live document's, and its body is damaged.
    fileprivate func isUnreadable(_ check: RowBodyCheck) -> Bool {
        let flags = DocumentFlags(rawValue: UInt16(truncatingIfNeeded: flags))
        guard !flags.contains(.deleted) else { return false }
        return withVersion { version in
            withExtra { extra in
                // A number in the column is not a body, and not none either.
                !check.hasWholeCurrentBody(
                    version: version ?? Self.none, body: statement.bytes(at: 4),
                    extra: extra ?? Self.none)
            }
        }
    }

    private static var none: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}
