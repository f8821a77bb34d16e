import StoreTestSupport
import Testing

@testable import KVToolCommands

@Suite("KVTOOL_MEMORY")
struct MemoryLimitTests {
    @Test(
        "is a number of bytes, or of a larger unit",
        arguments: [
            ("1", 1), ("4K", 4096), ("256M", 256 << 20), ("2g", 2 << 30), ("0", nil), ("-1", nil),
            ("M", nil), ("1.5M", nil), ("1T", nil), ("9223372036854775807K", nil), ("a", nil),
        ] as [(String, Int?)])
    func sizes(_ text: String, _ bytes: Int?) {
        #expect(MemoryLimit.bytes(of: text) == bytes)
    }

    @Test("ends a statement that needs more, and nothing else")
    func limit() throws {
        let database = try SampleDatabase(people: 10)
        let large = ["sql", database.path, "SELECT length(zeroblob(100000000) || 'x') AS n"]
        let without = try Kvtool.run(large + ["--ndjson"]).success()
        #expect(without.lines.count == 1)
        let limited = try Kvtool.run(large, environment: ["KVTOOL_MEMORY": "50M"])
        #expect(limited.refusal(status: 1).contains("memory"), "\(limited)")
        let small = try Kvtool.run(
            ["ls", database.path, "--count"], environment: ["KVTOOL_MEMORY": "50M"])
        #expect(small.success().stdout == "10\n")
        let wrong = try Kvtool.run(
            ["ls", database.path], environment: ["KVTOOL_MEMORY": "much"])
        #expect(wrong.refusal(status: 2).hasPrefix("KVTOOL_MEMORY is much, which is not a size"))
    }
}
