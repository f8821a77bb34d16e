internal import SQLCore

extension KeyStore {
    /// Whether the store's table of tombstones is empty, so that no id need be looked for there.
    func hasNoTombstones(in transaction: Transaction) throws -> Bool {
        try !transaction.hasTombstones(name) {
            let tables = try tables(in: transaction)
            guard let dead = tables.dead else { return false }
            return try transaction.session()
                .firstOnce("SELECT 1 FROM \(dead.name) LIMIT 1") { _ in true } ?? false
        }
    }
}
