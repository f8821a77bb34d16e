import DataFileCore
import EngineTestSupport
import FleeceLite
import Foundation
import SQLCore
import StoreTestSupport
import Testing

/// Operations on files for the tests of maintenance.
extension StoreFixture {
    /// Documents `doc0`, `doc1`, … with bodies of approximately this many bytes.
    func fill(_ file: DataFile, from first: Int = 0, count: Int, bytes: Int = 500) throws {
        let text = String(repeating: "x", count: bytes)
        try file.write { transaction in
            for number in first..<(first + count) {
                _ = try people.save("doc\(number)", in: transaction) {
                    try $0.writeJSON(#"{"n":\#(number),"text":"\#(text)"}"#)
                }
            }
        }
    }

    /// Overwrites a part of a page of the file, which must not be open.
    func overwrite(page: Int, at offset: Int = 0, with bytes: [UInt8]) throws {
        let handle = try FileHandle(forUpdating: URL(filePath: path + "/db.sqlite3"))
        try handle.seek(toOffset: UInt64((page - 1) * 4096 + offset))
        try handle.write(contentsOf: bytes)
        try handle.close()
    }

    /// The pages of a table or index with a type: `leaf`, `internal`, `overflow`.
    func pages(of tree: String, type: String) throws -> [Int] {
        try sqlite().selectAll(
            sql: "SELECT pageno FROM dbstat WHERE name=? AND pagetype=? ORDER BY pageno",
            parameters: [.text(tree), .text(type)]
        ).compactMap { $0[0].longValue.map { Int($0) } }
    }

    /// Adds an index that calls a function which is registered only on this connection.
    func addForeignIndex(on table: String = "kv_default") throws {
        let context = try sqlite()
        try context.registerFunction("other_value", argumentCount: 2) { _ in .long(1) }
        try context.exec(
            sql: "CREATE INDEX byAge ON \(table.sqlName) (other_value(body, 'age'))")
    }
}
