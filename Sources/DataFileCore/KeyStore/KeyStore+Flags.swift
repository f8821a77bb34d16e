internal import SQLCore
public import StoreFormat

extension KeyStore {
    /// Sets flags of a record whose latest change is the one of this sequence; its subsequence
    /// grows by one.
    ///
    /// - Returns: whether there was such a record.
    ///
    /// Throws `.invalidParameter` for `.deleted`, which is more than a flag: `put` does that.
    public func setFlags(
        _ flags: DocumentFlags, of key: String, sequence: Int64, in transaction: Transaction
    ) throws -> Bool {
        try transaction.wrapping(name) {
            guard !flags.contains(.deleted) else {
                throw StoreError(
                    .invalidParameter,
                    "the flag \"deleted\" of \"\(key)\" is set by an update that deletes the record"
                )
            }
            let session = try transaction.writing()
            let tables = try tables(in: transaction)
            for isDead in [false, true] where !isDead || tables.dead != nil {
                let statement = try tables.statement(.setFlags, dead: isDead, in: session) {
                    """
                    UPDATE \($0.name) SET flags=((ifnull(flags, 0) + 0x10000) | ?)
                    WHERE key=? AND ifnull(sequence, 0)=?
                    """
                }
                defer { statement.reset() }
                try statement.bind(Int64(flags.rawValue), at: 1)
                try statement.bind(key, at: 2)
                try statement.bind(sequence, at: 3)
                while try statement.next() {}
                if session.context.changes > 0 {
                    transaction.note(.metadata, key, sequence, tables)
                    return true
                }
            }
            return false
        }
    }
}
