internal import DocumentStore

/// Databases of others that are taken for those of this tool.
package enum ForeignDatabase: Equatable {
    /// Couchbase Lite 1.x, on SQLite: tables `docs` and `revs`.
    case version1
    /// Couchbase Lite 1.x, on ForestDB.
    case forest
    /// The encryption of Couchbase Lite's Enterprise Edition.
    case enterpriseEncryption
    /// A database of this tool's, as a file that has lost its directory or its name.
    case looseFile
    /// Another one of SQLite.
    case otherSQLite

    /// The schema of a file stands in its first pages.
    private static let lookedAt = 1 << 20

    /// What a directory or a file is; nil if nothing tells.
    package init?(_ path: String) {
        if System.entry(path) == .directory {
            let names = (try? System.names(in: path)) ?? []
            if names.contains(where: { $0.hasPrefix("db.forest") }) {
                self = .forest
                return
            }
            let found = Self.ofFile("\(path)/\(DatabaseNames.file)")
            // Of what else it is the engine knows more.
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

    /// Its first page is encrypted but for bytes 16 to 23, where SQLite has the size of pages, the
    /// version of the format, and 64, 32 and 32.
    private static func isEnterpriseEncryption(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 512, bytes[21...23].elementsEqual([64, 32, 32]) else { return false }
        let pageSize = Int(bytes[16]) << 8 | Int(bytes[17])
        let isPageSize = pageSize == 1 || pageSize >= 512 && pageSize & (pageSize - 1) == 0
        return isPageSize && (1...2).contains(bytes[18]) && (1...2).contains(bytes[19])
    }

    /// What is said of it.
    package func message(_ path: String) -> String {
        let path = Text.line(path)
        switch self {
        case .version1:
            return
                "\(path) is a database of Couchbase Lite 1.x, which cannot be read here; open it "
                + "with an application of Couchbase Lite 2, which converts it"
        case .forest:
            return "\(path) is a database of Couchbase Lite 1.x on ForestDB, which cannot be read "
                + "here; export its documents with the application that made it"
        case .enterpriseEncryption:
            return
                "\(path) is encrypted as the Enterprise Edition of Couchbase Lite does it, which "
                + "no key opens here; decrypt it with an application of that, which gives it no key"
        case .looseFile:
            return "\(path) is the file of a database without its directory; copy it to "
                + "NAME.cblite2/\(DatabaseNames.file), and its -wal beside it, then open "
                + "NAME.cblite2"
        case .otherSQLite:
            return "\(path) is a database of SQLite, but not of Couchbase Lite; a database is a "
                + "directory NAME.cblite2 with a file \(DatabaseNames.file) in it"
        }
    }
}
