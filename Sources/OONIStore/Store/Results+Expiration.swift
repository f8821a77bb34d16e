public import DocumentStore

extension OONIStore.Results {
    /// Says when a result and its measurements go by themselves, as soon as that moment has passed
    /// while the file is open; nil for never. Measurements that come later go with them.
    ///
    /// What goes by itself says nothing to anybody. Networks stay (`networks.deleteUnused`), and so
    /// do files (`unusedFileNames`). `deleteExpired` does all of it at once, if it comes first:
    /// always where `DataFileOptions.housekeeping` is off.
    ///
    /// Throws `.unknownResult`.
    public func setExpiration(
        _ moment: OONIStore.Instant?, of id: OONIStore.TestResult.ID, in transaction: Transaction
    ) throws {
        var document = try requireDocument(id, in: transaction)
        document.value.expirationDate = moment
        try entities.save(document, in: transaction)
        try store.results.setExpiration(moment, of: id.key, in: transaction)
        let prefix = OONIStore.Measurement.ID.prefix(of: id)
        for key in try store.measurements.keys(prefix: prefix, in: transaction) {
            try store.measurements.setExpiration(moment, of: key, in: transaction)
        }
    }

    /// Removes the results whose moment has passed, as `delete` does.
    ///
    /// Throws as `delete` does.
    public func deleteExpired(
        at now: OONIStore.Instant, in transaction: Transaction
    ) throws -> OONIStore.Deleted {
        let rows = try Self.expired.rows(in: transaction, ["now": .integer(now.milliseconds)])
        let keys = try rows.all().compactMap { $0[0].string }
        return try delete(keys.compactMap(OONIStore.TestResult.ID.init(key:)), in: transaction)
    }

    private static var expired: Query {
        get throws {
            try Query(
                "SELECT META(r).id FROM ooni.results AS r "
                    + "WHERE r.expirationDate <= $now ORDER BY META(r).id")
        }
    }
}
