package import DataFileCore
internal import FleeceLite
internal import SQLCore
internal import StoreFormat

// What belongs to the whole file: shared keys, identities, how revisions are kept.
extension Transaction {
    /// Makes rows of the raw store `info` those of another file, and lets everything follow that
    /// is known of the file.
    ///
    /// Shared keys can only be added to those that the file has, since its bodies use those: into
    /// a new file any list can be restored. Where the file has the list and more, its own stays.
    /// The row up to which tombstones lie among live records is raised to the file's own rows.
    ///
    /// - Parameter replacingOthers: whether other rows go, but for those that no file can be
    ///   without.
    ///
    /// Throws `.conflict` if the file has other shared keys, `.corruptData` if those of the row are
    /// damaged.
    package func restore(info rows: [StoredRow], replacingOthers: Bool = false) throws {
        try wrapping(.info) {
            try savepoint {
                let tables = try KeyStore(.info).tables(in: self)
                if replacingOthers { try removeInfo(except: rows, tables) }
                for row in rows { try restore(row, tables) }
                restoredStores.insert(.info)
                try refreshInfo()
            }
        }
    }
}

extension Transaction {
    private func restore(_ row: StoredRow, _ tables: StoreTables) throws {
        // The blobs that this file has are encrypted with its own.
        if row.key == InfoKey.blobKey { return }
        if row.key == InfoKey.sharedKeys { return try restoreKeys(row, tables) }
        try put(row, tombstones: false, tables)
        switch row.key {
        case InfoKey.unmovedTombstones: try raiseUnmovedTombstones()
        case InfoKey.clockBound:
            // A clock that has begun does not look at the file again.
            if clock.hasBegun, let time = row.body.flatMap(BigEndian.number) {
                clock.begin(after: LogicalTime(rawValue: time))
            }
        default: break
        }
        note(.saved, row.key, 0, tables)
    }

    private func restoreKeys(_ row: StoredRow, _ tables: StoreTables) throws {
        let state = row.body ?? []
        let keys: SharedKeys
        do {
            keys = try SharedKeys(stored: state)
        } catch {
            throw StoreError(
                .corruptData, "the shared keys that are to be restored are damaged: \(error)",
                underlying: error)
        }
        guard keys.count >= sharedKeys.count else { return try requireSame(keys) }
        try requireExtension(keys)
        try put(row, tombstones: false, tables)
        try use(keys)
        savedKeyCount = keys.count
        try session().keepSharedKeys(keys, state: state)
    }

    /// Writes with other keys from now on.
    private func use(_ keys: SharedKeys) throws {
        let session = try session()
        sharedKeys = keys
        session.encoder.reset()
        session.encoder.sharedKeys = keys
        keyCountWithoutReserved = -1
    }

    private func requireExtension(_ keys: SharedKeys) throws {
        guard keys.isExtension(of: sharedKeys) else { throw try otherKeys() }
    }

    /// The file has these keys and maybe more.
    private func requireSame(_ keys: SharedKeys) throws {
        guard sharedKeys.isExtension(of: keys) else { throw try otherKeys() }
    }

    private func otherKeys() throws -> StoreError {
        StoreError(
            .conflict,
            "\(try session().path) has other shared keys, which its documents use; restore into a "
                + "new file")
    }

    /// The number is of a row, and rows have got other numbers here.
    private func raiseUnmovedTombstones() throws {
        guard let number = try info(InfoKey.unmovedTombstones).flatMap(BigEndian.number),
            number > 0, let live = try session().storeTables(.default)?.live
        else { return }
        let last = try session().first("SELECT max(rowid) FROM \(live.name)") { $0.long(at: 0) }
        guard let last, last > 0, UInt64(last) > number else { return }
        try InfoRow.set(InfoKey.unmovedTombstones, to: UInt64(last), in: try session().context)
    }

    private func removeInfo(except rows: [StoredRow], _ tables: StoreTables) throws {
        var kept = Set(rows.map { ExactString($0.key) })
        let needed = [
            InfoKey.publicUUID, InfoKey.privateUUID, InfoKey.versioning, InfoKey.sharedKeys,
            InfoKey.blobKey,
        ]
        kept.formUnion(needed.map { ExactString($0) })
        var gone: [String] = []
        try session().context.forEach("SELECT key FROM \(tables.live.name)") { row in
            let key = row.text(at: 0) ?? ""
            if !kept.contains(ExactString(key)) { gone.append(key) }
        }
        for key in gone where try tables.remove(key, tombstones: false, in: writing()) {
            note(.purged, key, 0, tables)
        }
    }

    private func refreshInfo() throws {
        let session = try session()
        session.forgetInfo()
        state.recovered.forget(.info)
        try session.storeTables(.default)?.mayHaveLiveTombstones = nil
        try loadModelPolicies()
    }
}
