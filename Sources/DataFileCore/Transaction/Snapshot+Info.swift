internal import SQLCore
internal import StoreFormat

extension Snapshot {
    /// The body of a record of the raw store `info`, nil if there is none.
    package func info(_ key: String) throws -> [UInt8]? {
        let value = try session().first(
            SchemaSQL.getInfo, bind: { try $0.bind(key, at: 1) },
            row: { $0.byteArray(at: 0) })
        return value ?? nil
    }
}
