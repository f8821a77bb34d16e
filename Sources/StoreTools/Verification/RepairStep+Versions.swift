internal import DataFileCore
internal import SQLCore
internal import StoreFormat

// Versions that are years ahead of the system clock.
extension RepairStep {
    /// Gives all such versions of a store the present time.
    ///
    /// - Returns: what was done.
    func boundVersions(
        of store: KeyStoreName, _ transaction: Transaction
    ) throws -> [String] {
        guard let name = CollectionName(store) else { return [] }
        let collection = Collection(name)
        var count = 0
        for key in try keysOfVectors(store, transaction) {
            do {
                guard let record = try collection.keyStore.get(key, in: transaction) else {
                    continue
                }
                var history = try DocumentHistory(record, sharedKeys: transaction.sharedKeys)
                guard try history.boundTimes(in: transaction) else { continue }
                try collection.write(history, over: record, in: transaction)
                count += 1
            } catch let error as StoreError
                where error.has(.corruptRevisionData) || error.has(.corruptData)
            {
                // Nothing is known of its other revisions; it is a finding of its own.
                continue
            }
        }
        return count == 0
            ? []
            : ["\(count) documents of \(store.title) got versions of the present time"]
    }

    /// The keys of the rows that may have such a version.
    private func keysOfVectors(
        _ store: KeyStoreName, _ transaction: Transaction
    ) throws -> [String] {
        let latest = transaction.clock.latestPlausible
        let context = try transaction.session().context
        var keys: [String] = []
        for table in try tables(of: store, context) {
            let sql = """
                SELECT key, version, ifnull(length(extra), 0) FROM main.\(table.name.sqlName)
                WHERE substr(version, 1, 1) = x'00' AND typeof(key) = 'text'
                """
            try context.forEach(sql) { row in
                let vector = try? VersionVector(binary: row.bytes(at: 1))
                guard let vector, row.long(at: 2) > 0 || vector.latestTime > latest else { return }
                if let key = row.text(at: 0) { keys.append(key) }
            }
        }
        return keys
    }
}
