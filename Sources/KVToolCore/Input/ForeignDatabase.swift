internal import DocumentStore

/// Files of other software that may be mistaken for databases of this tool.
package enum ForeignDatabase: Equatable {
    /// Couchbase Lite 1.x, on SQLite: tables `docs` and `revs`.
    case version1
    /// Couchbase Lite 1.x, on ForestDB.
    case forest
    /// The encryption of Couchbase Lite's Enterprise Edition.
    case enterpriseEncryption
    /// A database file of this tool without its directory or its name.
    case looseFile
    /// Another SQLite database.
    case otherSQLite

    /// The number of bytes to search; the schema is in the first pages of a file.
    private static let lookedAt = 1 << 20

    /// Detects the type of a directory or file; nil if it is not recognized.
    package init?(_ path: String) {
        if System.entry(path) == .directory {
            let names = (try? System.names(in: path)) ?? []
            if names.contains(where: { $0.hasPrefix("db.forest") }) {
                self = .forest
                return
            }
            let found = Self.ofFile("\(path)/\(DatabaseNames.file)")
            // For other files, the engine has a better message.
            guard let found, found == .version1 || found == .enterpriseEncryption else {
                return nil
            }
            self = found
        } else {
            guard let found = Self.ofFile(path) else { return nil }
            self = found
        }
    }

    private static func ofFile(_ path: String) -> ForeignDatabase? {
        guard case .file = System.entry(path), let file = try? InputFile(path: path) else {
            return nil
        }
        var bytes: [UInt8] = []
        while bytes.count < lookedAt, let piece = try? file.read(atMost: 1 << 16), !piece.isEmpty {
            bytes += piece
        }
        guard bytes.starts(with: "SQLite format 3\0".utf8) else {
            return isEnterpriseEncryption(bytes) ? .enterpriseEncryption : nil
        }
        return bytes.withUnsafeBytes { bytes in
            func has(_ text: String) -> Bool { bytes.offset(of: Array(text.utf8)) != nil }
            if has("CREATE TABLE docs"), has("CREATE TABLE revs") { return .version1 }
            return has("kv_default") ? .looseFile : .otherSQLite
        }
    }

    /// Detects a first page that is encrypted except for bytes 16 to 23, which contain the page
    /// size, the format versions, and the constants 64, 32 and 32.
    private static func isEnterpriseEncryption(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 512, bytes[21...23].elementsEqual([64, 32, 32]) else { return false }
        let pageSize = Int(bytes[16]) << 8 | Int(bytes[17])
        let isPageSize = pageSize == 1 || pageSize >= 512 && pageSize & (pageSize - 1) == 0
        return isPageSize && (1...2).contains(bytes[18]) && (1...2).contains(bytes[19])
    }

    /// The error message.
    package func message(_ path: String) -> String {
        let path = Text.line(path)
        switch self {
        case .version1:
            return
                "\(path) is a database of Couchbase Lite 1.x, which is not supported; open it "
                + "with an application of Couchbase Lite 2, which converts it"
        case .forest:
            return "\(path) is a database of Couchbase Lite 1.x on ForestDB, which is not "
                + "supported; export its documents with the application that created it"
        case .enterpriseEncryption:
            return
                "\(path) is encrypted with the format of Couchbase Lite Enterprise Edition, which "
                + "is not supported; decrypt it with an application that uses that edition"
        case .looseFile:
            return "\(path) is the file of a database without its directory; copy it to "
                + "NAME.cblite2/\(DatabaseNames.file), and its -wal beside it, then open "
                + "NAME.cblite2"
        case .otherSQLite:
            return "\(path) is an SQLite database, but not one of Couchbase Lite; a database is a "
                + "directory NAME.cblite2 with a file \(DatabaseNames.file) in it"
        }
    }
}
