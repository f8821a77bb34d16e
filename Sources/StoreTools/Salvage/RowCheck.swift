internal import FleeceLite
internal import StoreFormat

/// Checks whether an engine can have written a row.
enum RowCheck {
    /// The reason why a row is invalid; nil if it is valid.
    static func flaw(_ row: SalvagedRow, in store: KeyStoreName) -> String? {
        guard store.isCollection else {
            return store == .info ? infoFlaw(row) : nil
        }
        guard !row.key.isEmpty else { return "it has no key" }
        if let sequence = row.sequence, sequence < 0 { return "its sequence is negative" }
        let version = row.version ?? []
        let isNewest =
            VersionVector.isVector(version) || row.extra.map(RemoteRevisions.isStored) ?? false
        return isNewest ? versionFlaw(row, version) : treeFlaw(row, version)
    }

    private static func infoFlaw(_ row: SalvagedRow) -> String? {
        let size = row.body?.count ?? 0
        switch row.key {
        case InfoKey.publicUUID, InfoKey.privateUUID, InfoKey.previousPrivateUUID:
            return size == 16 ? nil : "it has \(size) bytes, not 16"
        case InfoKey.versioning, InfoKey.unmovedTombstones, InfoKey.clockBound:
            return size == 8 ? nil : "it has \(size) bytes, not 8"
        case InfoKey.sharedKeys:
            guard let body = row.body, !body.isEmpty else { return nil }
            return (try? SharedKeys(state: body)) != nil ? nil : "the shared keys are damaged"
        default: return nil
        }
    }

    /// 4.x: the current body, and in `extra` the other revisions, which can refer to it.
    private static func versionFlaw(_ row: SalvagedRow, _ version: [UInt8]) -> String? {
        guard (try? RevisionID(binary: version)) != nil else { return "its version is damaged" }
        if let flaw = bodyFlaw(row.body) { return flaw }
        guard let extra = row.extra, !extra.isEmpty else { return nil }
        let base = row.body.flatMap { $0.isEmpty ? nil : try? FleeceDocument(trusted: $0) }
        guard (try? FleeceDocument(validating: extra, base: base)) != nil else {
            return "its other revisions are damaged"
        }
        return nil
    }

    /// 2.x: a revision tree with all bodies; 3.x: the current body, and the tree in `extra`.
    private static func treeFlaw(_ row: SalvagedRow, _ version: [UInt8]) -> String? {
        if let extra = row.extra, !extra.isEmpty {
            guard (try? RevisionTree(binary: extra)) != nil else {
                return "its revision tree is damaged"
            }
            return bodyFlaw(row.body)
        }
        guard let body = row.body, !body.isEmpty else { return nil }
        guard let tree = try? RevisionTree(binary: body) else { return bodyFlaw(body) }
        return bodyFlaw(tree.currentBody)
    }

    private static func bodyFlaw(_ body: [UInt8]?) -> String? {
        guard let body, !body.isEmpty else { return nil }
        let isSound = body.withUnsafeBytes { bytes in
            (try? FleeceValidation.structure.check(bytes)) != nil
        }
        guard isSound else { return "its body is damaged" }
        let isDictionary = (try? FleeceDocument(trusted: body))?.isDictionary == true
        return isDictionary ? nil : "its body is not a dictionary"
    }
}
