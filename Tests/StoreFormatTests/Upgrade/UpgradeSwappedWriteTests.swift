import DataFileCore
import EngineTestSupport
import SQLCore
import StoreTestSupport
import Testing

import StoreFormat

/// Writing to rows that an upgrade by LiteCore has left with their tree in `expiration`, before
/// they are fixed.
@Suite("Writing to rows with swapped columns")
struct UpgradeSwappedWriteTests {
    let fixture: EngineFixture
    let store = KeyStore(.default)

    init() throws {
        fixture = try EngineFixture()
        let file = try fixture.open()
        try file.write { _ = try store.set("a", flags: .deleted, in: $0) }
        file.close()
        try fixture.sqlite().exec(
            sql: "UPDATE kv_del_default SET expiration=x'010203', extra=NULL")
    }

    /// A handle without background maintenance.
    private func open() throws -> DataFile { try fixture.open { $0.upgrade = .never } }

    @Test(
        "setting an expiration moves the tree to its column", arguments: [nil, 5])
    func expiration(milliseconds: Int64?) throws {
        let isThere = try open().write {
            try store.setExpiration(milliseconds, of: "a", in: $0)
        }
        #expect(isThere)
        let number = milliseconds.map { "\($0)" } ?? ""
        #expect(
            try fixture.rows("SELECT expiration, extra FROM kv_del_default") == ["\(number)|1 2 3"])
    }

    @Test("an update does not leave the old tree in the row", arguments: [nil, [9] as [UInt8]])
    func update(extra: [UInt8]?) throws {
        let file = try open()
        try file.write { transaction in
            let old = try #require(try store.get("a", in: transaction))
            #expect(old.extra == [1, 2, 3])
            let update = RecordUpdate(
                "a", version: [1], body: nil, extra: extra, flags: .deleted,
                expecting: .revision(of: old))
            #expect(try store.put(update, in: transaction) != .conflict)
        }
        let record = try file.read { try store.get("a", in: $0) }
        #expect(record?.extra == extra)
        #expect(record?.expiration == nil)
    }
}
