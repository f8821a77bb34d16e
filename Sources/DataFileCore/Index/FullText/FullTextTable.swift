package import StoreFormat

/// The names of the tables of words: `kv_default::by\Street`.
package enum FullTextTable {
    /// The table of an index.
    package static func name(_ index: String, of store: KeyStoreName) -> String {
        store.tableName + "::" + KeyStoreName.mangled(index)
    }

    /// The store and the index in the name of a table; nil if it is not one of words. The tables
    /// that FTS4 keeps have longer names.
    static func parts(ofName name: String) -> (store: KeyStoreName, index: String)? {
        guard let colons = name.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let rest = name[colons...]
        guard rest.hasPrefix("::"), let store = KeyStoreName(tableName: String(name[..<colons]))
        else { return nil }
        return (store, KeyStoreName.unmangled(rest.dropFirst(2)))
    }
}
