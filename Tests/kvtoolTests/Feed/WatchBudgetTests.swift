import DocumentStore
import SQLCore
import SQLPlus
import StoreTestSupport
import Testing

@Suite("kvtool watch of documents that share values")
struct WatchBudgetTests {
    /// `{"a": x}`, in which x is an array of twice an array of twice an array …, 40 times.
    private static var body: [UInt8] {
        var bytes: [UInt8] = [0x47] + Array("abcdefg".utf8)
        var previous = 0
        for _ in 0..<40 {
            let start = bytes.count
            bytes += [0x60, 2]
            for _ in 0..<2 { bytes += pointer(from: bytes.count, to: previous) }
            previous = start
        }
        let start = bytes.count
        bytes += [0x70, 1, 0x41, UInt8(ascii: "a")]
        bytes += pointer(from: bytes.count, to: previous)
        return bytes + pointer(from: bytes.count, to: start)
    }

    private static func pointer(from place: Int, to target: Int) -> [UInt8] {
        let units = (place - target) / 2
        return [0x80 | UInt8(units >> 8), UInt8(units & 0xFF)]
    }

    @Test("limits the output of each document in proportion to its size")
    func budget() throws {
        let directory = try TemporaryDirectory()
        let path = directory("shared.cblite2")
        let file = try DataFile(path: path, options: DataFileOptions(access: .create))
        try file.write { transaction in
            _ = try DocumentCollection(.default).save("a", in: transaction) {
                try $0.writeJSON("{}")
            }
        }
        file.close()
        let context = try SQLContext(path: path + "/db.sqlite3", flags: .readWrite)
        try context.exec(
            sql: "UPDATE kv_default SET body = ?", parameters: [.blob(Data(Self.body))])
        try context.close()
        let outcome = try Kvtool.run(["watch", path, "--docs"])
        #expect(outcome.status == 5)
        #expect(outcome.stderr.contains("over 1048576 bytes of JSON"))
    }
}
