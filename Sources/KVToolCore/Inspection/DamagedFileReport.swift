internal import DocumentStore

/// Information about a database that SQLite cannot open, from the files beside it and the header of
/// the file.
package struct DamagedFileReport: OneReport {
    private let path: String
    private let bytes: Int
    private let walBytes: Int
    private let blobs: Int
    private let pageBytes: Int
    /// The number of pages in the header.
    private let pages: Int
    private let schemaVersion: Int

    private static let magic = Array("SQLite format 3\0".utf8)

    /// Returns nil for a file without the SQLite header.
    package init?(path: String) {
        let file = path + "/db.sqlite3"
        guard case .file(let bytes) = System.entry(file),
            let header = try? Self.header(of: file), header.starts(with: Self.magic)
        else { return nil }
        self.path = path
        self.bytes = bytes
        if case .file(let size) = System.entry(file + "-wal") {
            walBytes = size
        } else {
            walBytes = 0
        }
        let names = (try? System.names(in: path + "/Attachments")) ?? []
        blobs = names.count { $0.hasSuffix(".blob") }
        let size = Self.number(header[16..<18])
        pageBytes = size == 1 ? 65_536 : size
        pages = Self.number(header[28..<32])
        schemaVersion = Self.number(header[60..<64])
    }

    /// Reads the first 100 bytes.
    private static func header(of file: String) throws -> [UInt8] {
        let descriptor = try System.open(file, .reading)
        defer { System.close(descriptor) }
        var header = [UInt8](repeating: 0, count: 100)
        let count = try header.withUnsafeMutableBytes { try System.read(descriptor, into: $0) }
        return count == header.count ? header : []
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    private var wholePages: Int { pageBytes > 0 ? bytes / pageBytes : 0 }

    package var schema: String { "info" }
    package let columns = [
        Column("collection", "Collection"), Column("documents", "Documents", isNumber: true),
        Column("deleted", "Deleted", isNumber: true),
        Column("lastSequence", "Last sequence", isNumber: true),
    ]
    package let rows: [[Cell]] = []

    package func writeText() throws {
        let wal = walBytes > 0 ? " and \(Text.size(walBytes)) in the WAL" : ""
        let missing = pages > wholePages ? ", of which the file contains \(wholePages)" : ""
        try Headings.write([
            ("Database", Text.line(path)),
            ("Size", "\(Text.size(bytes))\(wal) and \(Text.count(blobs, "blob"))"),
            ("Pages", "\(pages) of \(pageBytes) bytes\(missing)"),
            ("Schema", "\(schemaVersion)"), ("Collections", "unknown"),
        ])
    }

    package var properties: JSONObject {
        var object = JSONObject()
        object.add("database", path)
        object.add("bytes", bytes)
        object.add("walBytes", walBytes)
        object.add("blobs", blobs)
        object.add("pageBytes", pageBytes)
        object.add("pages", pages)
        object.add("schemaVersion", schemaVersion)
        return object
    }
}
