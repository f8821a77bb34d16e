package import DataFileCore
internal import FleeceLite
internal import SQLCore
internal import StoreFormat

// State of the whole file: shared keys, UUIDs, versioning.
extension Transaction {
    /// Sets rows of the raw store `info` to those of another file, and updates what is cached about
    /// the file.
    ///
    /// Shared keys can only be added to those of the file, since its bodies use them: any list can
    /// be restored into a new file. If the file has more keys than the list, it keeps its own. The
    /// rowid up to which the live table may contain tombstones is raised to that of the file's
    /// rows.
    ///
    /// - Parameter replacingOthers: whether to remove other rows, except those that every file
    ///     needs.
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
        // The file's existing blobs are encrypted with its own key.
        if row.key == InfoKey.blobKey { return }
        if row.key == InfoKey.sharedKeys { return try restoreKeys(row, tables) }
        try put(row, tombstones: false, tables)
        switch row.key {
        case InfoKey.unmovedTombstones: try raiseUnmovedTombstones()
        case InfoKey.clockBound:
            // A clock that has started does not read the file again.
            if clock.hasStarted, let time = row.body.flatMap(BigEndian.number) {
                clock.start(after: LogicalTime(rawValue: time))
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
        try connection().keepSharedKeys(keys, bytes: state)
    }

    /// Uses other shared keys for writing from now on.
    private func use(_ keys: SharedKeys) throws {
        let connection = try connection()
        sharedKeys = keys
        connection.encoder.reset()
        connection.encoder.sharedKeys = keys
        keyCountWithoutReserved = -1
    }

    private func requireExtension(_ keys: SharedKeys) throws {
        guard keys.isExtension(of: sharedKeys) else { throw try otherKeys() }
    }

    /// Checks that the file has these keys, and possibly more.
    private func requireSame(_ keys: SharedKeys) throws {
        guard sharedKeys.isExtension(of: keys) else { throw try otherKeys() }
    }

    private func otherKeys() throws -> StoreError {
        StoreError(
            .conflict,
            "\(try connection().path) has other shared keys, which its documents use; restore into "
                + "a new file")
    }

    /// The stored number is a rowid, and the rows have other IDs here.
    private func raiseUnmovedTombstones() throws {
        guard let number = try info(InfoKey.unmovedTombstones).flatMap(BigEndian.number),
            number > 0, let live = try connection().storeTables(.default)?.live
        else { return }
        let last = try connection().first("SELECT max(rowid) FROM \(live.name)") { $0.long(at: 0) }
        guard let last, last > 0, UInt64(last) > number else { return }
        try InfoRow.set(InfoKey.unmovedTombstones, to: UInt64(last), in: try connection().context)
    }

    private func removeInfo(except rows: [StoredRow], _ tables: StoreTables) throws {
        var remaining = Set(rows.map { ExactString($0.key) })
        let needed = [
            InfoKey.publicUUID, InfoKey.privateUUID, InfoKey.versioning, InfoKey.sharedKeys,
            InfoKey.blobKey,
        ]
        remaining.formUnion(needed.map { ExactString($0) })
        var gone: [String] = []
        try connection().context.forEach("SELECT key FROM \(tables.live.name)") { row in
            let key = row.text(at: 0) ?? ""
            if !remaining.contains(ExactString(key)) { gone.append(key) }
        }
        for key in gone where try tables.remove(key, tombstones: false, in: writing()) {
            note(.purged, key, 0, tables)
        }
    }

    private func refreshInfo() throws {
        let connection = try connection()
        connection.noteWrittenInfo()
        state.recovered.forget(.info)
        try connection.storeTables(.default)?.rows.mayHaveLiveTombstones = nil
        try loadModelPolicies()
    }
}
