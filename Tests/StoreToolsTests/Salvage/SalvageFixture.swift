import DataFileCore
import FleeceLite
import Foundation
import SQLCore
import StoreFormat
import StoreTestSupport
@testable import StoreTools

/// A row of a store, for comparison before and after.
struct StoredRow: Hashable, CustomStringConvertible {
    var store: KeyStoreName
    var key: String
    var sequence: Int64?
    var flags: Int64
    var version: [UInt8]?
    var body: [UInt8]?
    var expiration: Int64?
    var extra: [UInt8]?

    var description: String { "\(store.rawName)/\(key)@\(sequence ?? 0)" }
}

extension StoredRow {
    init(_ row: SalvagedRow, in store: KeyStoreName) {
        self.init(
            store: store, key: row.key, sequence: row.sequence, flags: row.flags ?? 0,
            version: row.version, body: row.body, expiration: row.expiration, extra: row.extra)
    }

    /// All rows of all stores of a file, read with SQL that names the columns.
    static func all(in path: String) throws -> Set<StoredRow> {
        let context = try SQLContext(path: path + "/db.sqlite3", flags: .readWrite)
        var rows: Set<StoredRow> = []
        for table in try StoreTable.all(in: context) {
            let names = ["key", "sequence", "flags", "version", "body", "expiration", "extra"]
            let columns = names.map { table.columns.contains($0) ? $0 : "NULL" }
            let sql = "SELECT \(columns.joined(separator: ",")) FROM \(table.name.sqlName)"
            for row in try context.selectAll(sql: sql) {
                rows.insert(
                    StoredRow(
                        store: table.store, key: row[0].textValue ?? "",
                        sequence: row[1].longValue, flags: row[2].longValue ?? 0,
                        version: row[3].bytesValue, body: row[4].bytesValue,
                        expiration: row[5].longValue, extra: row[6].bytesValue))
            }
        }
        return rows
    }
}

/// A database of small pages, so that a small file has many of all kinds.
struct SmallPages {
    let directory: TemporaryDirectory
    let path: String
    let people = DocumentCollection(.default)

    init(documents: Int = 120, tombstones: Int = 12, purged: Int = 10) throws {
        directory = try TemporaryDirectory()
        path = directory("small.cblite2")
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
        let context = try SQLContext(path: path + "/db.sqlite3")
        try NewFile.create(in: context, pageSize: 512)
        try context.exec(
            sql: SchemaSQL.createStore(table: "kv_.b").joined(separator: ";") + ";"
                + SchemaSQL.createStore(table: "kv_del_.b").joined(separator: ";"))
        try context.close()
        let file = try DataFile(path: path, options: DataFileOptions(access: .readWrite))
        try fill(file, documents)
        try file.write { transaction in
            for number in 0..<tombstones {
                _ = try people.delete("default\(number * 3)", in: transaction)
            }
        }
        file.close()
        try purge(purged)
    }

    private func fill(_ file: DataFile, _ documents: Int) throws {
        try file.write { transaction in
            for number in 0..<documents {
                let name = number % 4 == 3 ? ".b" : "default"
                // From several rows in a page to rows of many pages.
                let text = String(repeating: "x\(number)", count: number * number % 317)
                let store = DocumentCollection(name == ".b" ? .b : .default)
                _ = try store.save("\(name)\(number)", in: transaction) {
                    try $0.writeJSON(#"{"n":\#(number),"text":"\#(text)"}"#)
                }
            }
        }
    }

    /// Leaves free pages with remnants of old rows.
    private func purge(_ count: Int) throws {
        let context = try SQLContext(path: path + "/db.sqlite3", flags: .readWrite)
        try context.exec(
            sql: "DELETE FROM kv_default WHERE rowid IN (SELECT rowid FROM kv_default "
                + "ORDER BY length(body) DESC LIMIT \(count) OFFSET \(count))")
        try context.close()
    }

    var bytes: [UInt8] {
        get throws { try [UInt8](Data(contentsOf: URL(filePath: path + "/db.sqlite3"))) }
    }

    /// A bundle with these bytes as its database.
    func bundle(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = directory(name + ".cblite2")
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
        try Data(bytes).write(to: URL(filePath: path + "/db.sqlite3"))
        return path
    }

    /// Each row with all pages that contain parts of it, according to the pages themselves.
    func pagesOfRows() throws -> [(row: StoredRow, pages: Set<Int>)] {
        guard let file = RawFile(path + "/db.sqlite3") else { return [] }
        let pages = RawPages(file, wal: nil)
        let map = try PageMap(pages)
        let names = TreeNames(map)
        var rows: [(row: StoredRow, pages: Set<Int>)] = []
        for number in map.leaves.keys.sorted() {
            guard let name = names[map.root(of: number)], let page = pages.treePage(number)
            else { continue }
            for content in page.cells.compactMap(page.content) {
                var budget = Int.max
                guard let record = pages.record(content, of: page),
                    let row = pages.whole(record, content, budget: &budget)?.storeRow
                else { continue }
                var used: Set = [number]
                var next = content.overflow
                while next != 0, used.insert(next).inserted {
                    next = pages.page(next).flatMap { RawBytes($0).number32(0) } ?? 0
                }
                rows.append((StoredRow(row, in: name.store), used))
            }
        }
        return rows
    }
}

extension CollectionName {
    static var b: CollectionName {
        CollectionName(KeyStoreName(".b")) ?? .default
    }
}
