internal import SQLCore
internal import StoreFormat

extension Transaction {
    /// Forgets what the file says of indexes that are gone; called when any were deleted.
    package func forgetGoneIndexes() throws {
        let notes = [InfoKey.lenientModels, InfoKey.textOrders]
        guard try notes.contains(where: { try info($0) != nil }) else { return }
        let session = try session()
        let indexes = try IndexRegistry.rowsIfReadable(in: session.context, path: session.path)
        try keepPolicies(of: indexes)
        try keepTextOrders(of: indexes)
    }

    /// Writes a record of the raw store `info`, or removes it for nil.
    func setInfo(_ key: String, _ body: [UInt8]?) throws {
        guard let body else {
            return try session().run(SchemaSQL.removeInfo) { try $0.bind(key, at: 1) }
        }
        try putInfo(key, body)
    }
}
