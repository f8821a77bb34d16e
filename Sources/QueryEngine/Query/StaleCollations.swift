internal import DataFileCore
internal import QueryFunctions
internal import SQLCore
internal import StoreFormat

// SQLite searches an index in the order of its collation. An index that was built with another
// version of the collation, such as those of Couchbase Lite in some languages, would return only a
// part of the rows. So a query that names such a collation gets another name for it, which no index
// has: then SQLite reads the documents.
extension Snapshot {
    /// The SQL of a query, with other names for the collations whose indexes are outdated according
    /// to this record of `kv_info`.
    func avoidingStaleCollations(_ sql: String, _ record: [UInt8]?) throws -> String {
        let stale = try staleCollations(record)
        guard !stale.isEmpty else { return sql }
        // A trailing underscore does not change the locale.
        return SQLNames.replacing(in: sql) { stale.contains($0) ? $0 + "_" : $0 }
    }

    /// The collations whose indexes have another order, as far as known.
    private func staleCollations(_ record: [UInt8]?) throws -> Set<String> {
        let connection = try connection()
        if let known = connection.queries.staleCollations, known.record == record {
            return known.names
        }
        let versions = CollationVersions(record).versions
        var stale: Set<String> = []
        try connection.context.forEach(SchemaSQL.indexTexts) { row in
            let version = versions[row.text(at: 0) ?? ""]
            guard version != Collations.currentVersion else { return }
            _ = SQLNames.replacing(in: row.text(at: 1) ?? "") { name in
                guard let collator = UnicodeCollator.named(name) else { return name }
                // Couchbase Lite records no version; where its order is unambiguous, it is the
                // same.
                if version != nil || collator.ascii == nil { stale.insert(name) }
                return name
            }
        }
        connection.queries.staleCollations = (record, stale)
        return stale
    }
}

/// Names in SQL.
enum SQLNames {
    /// Replaces names and keywords, in double quotes too; strings stay.
    static func replacing(in sql: String, by replacement: (String) -> String) -> String {
        let bytes = Array(sql.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let first = bytes[index]
            if first == quote || first == doubleQuote {
                let end = bytes[(index + 1)...].firstIndex(of: first) ?? bytes.endIndex
                let inside = bytes[(index + 1)..<end]
                result.append(first)
                result += first == quote ? Array(inside) : new(inside, replacement)
                if end < bytes.endIndex { result.append(first) }
                index = min(end + 1, bytes.endIndex)
            } else if isPartOfName(first) {
                let end = bytes[index...].firstIndex { !isPartOfName($0) } ?? bytes.endIndex
                result += new(bytes[index..<end], replacement)
                index = end
            } else {
                result.append(first)
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static let quote = UInt8(ascii: "'")
    private static let doubleQuote = UInt8(ascii: "\"")

    private static func new(
        _ name: ArraySlice<UInt8>, _ replacement: (String) -> String
    ) -> [UInt8] {
        Array(replacement(String(decoding: name, as: UTF8.self)).utf8)
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...: true
        default: false
        }
    }
}
