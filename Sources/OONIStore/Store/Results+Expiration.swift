public import DataFileCore

extension OONIStore.Results {
    /// Says when a result and its measurements go by themselves, as soon as that moment has passed
    /// while the file is open; nil for never. Measurements that come later go with them.
    ///
    /// Networks and websites stay; `networks.deleteUnused` removes those that nothing is left of.
    ///
    /// Throws `.unknownResult`.
    public func setExpiration(
        _ moment: OONIStore.Instant?, of id: OONIStore.Result.ID, in transaction: Transaction
    ) throws {
        _ = try require(id, in: transaction)
        let measurements = store.measurements
        for measurement in try measurements.values(
            prefix: OONIStore.Measurement.ID.prefix(of: id), in: transaction)
        {
            try measurements.collection.keyStore.setExpiration(
                moment?.milliseconds, of: measurement.id.key, in: transaction)
        }
        try collection.keyStore.setExpiration(
            moment?.milliseconds, of: id.key, in: transaction)
    }

    /// When a result goes by itself; nil for never.
    public func expiration(
        of id: OONIStore.Result.ID, in snapshot: Snapshot
    ) throws -> OONIStore.Instant? {
        try collection.keyStore.expiration(of: id.key, in: snapshot)
            .map { OONIStore.Instant(milliseconds: $0) }
    }
}
