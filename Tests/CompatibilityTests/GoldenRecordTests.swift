import DocumentStore
import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

/// Files of older versions, upgraded by their first write and then changed by every operation.
@Suite("Records of real databases", .enabled(if: GoldenFiles.arePresent, "no golden files"))
struct GoldenRecordTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func open(_ path: String, _ access: DataFileOptions.Access) throws -> DataFile {
        var options = DataFileOptions(access: access)
        options.maintenance = false
        return try DataFile(path: path, options: options)
    }

    /// All columns of all records and tombstones, by store and key.
    private func records(_ file: DataFile) throws -> [String: String] {
        var options = RecordEnumerator.Options()
        options.includesDeleted = true
        var found: [String: String] = [:]
        try file.read { snapshot in
            for name in try snapshot.keyStoreNames() where name != .info {
                let records = try KeyStore(name).records(options, in: snapshot)
                while let record = try records.next() {
                    found["\(name.rawName)/\(record.key)"] =
                        "\(record.sequence).\(record.subsequence) \(record.flags.rawValue) "
                        + "\(record.version) \(record.body ?? []) \(record.extra ?? []) "
                        + "\(record.expiration.map(String.init) ?? "never")"
                }
            }
        }
        return found
    }

    @Test(
        "are inserted, updated, deleted and expired after the upgrade; the others are unchanged",
        arguments: [
            ("upgrade_2.7", KeyStoreName.default, [50, 50]),
            ("db_3_0_0_names_100_with_deleted", .default, [78, 22]),
            ("upgrade_3.1_peerCheckpoints", KeyStoreName(".loopback.test"), [100, 0]),
        ])
    func changes(_ name: String, _ storeName: KeyStoreName, _ counts: [Int]) throws {
        let path = try GoldenDatabase.named(name).copy(to: directory)
        let store = KeyStore(storeName)
        let old = try open(path, .readOnly)
        let before = try records(old)
        let (keys, last) = try old.read { snapshot in
            #expect(try store.count(in: snapshot) == (counts[0], counts[1]))
            let records = try store.records(in: snapshot)
            return (
                try (0..<3).map { _ in try #require(try records.next()).key },
                try store.lastSequence(in: snapshot)
            )
        }
        old.close()
        let file = try open(path, .readWrite)
        try file.write { try change(store, keys, in: $0) }
        while try !file.write({ try $0.moveTombstones(rows: 7) }) {}
        file.close()

        let changed = try open(path, .readOnly)
        #expect(changed.schemaVersion == 503)
        var after = try records(changed)
        let touched = (keys + ["inserted"]).map { "\(storeName.rawName)/\($0)" }
        let isThere = touched.map { after.removeValue(forKey: $0) != nil }
        #expect(isThere == [true, true, false, true])
        #expect(after == before.filter { !touched.contains($0.key) })
        try changed.read { snapshot in
            #expect(try store.count(in: snapshot) == (counts[0] - 1, counts[1] + 1))
            #expect(try store.lastSequence(in: snapshot) == last + 3)
            #expect(try store.purgeCount(in: snapshot) == 1)
            let deleted = try store.get(keys[1], in: snapshot)
            #expect(deleted?.flags == .deleted && deleted?.sequence == last + 3)
            #expect(try store.get(sequence: last + 2, in: snapshot)?.key == keys[0])
        }
        #expect(try changed.integrityCheck().isIntact)
    }

    /// Inserts one, updates the first, deletes the second, and lets the third expire.
    private func change(
        _ store: KeyStore, _ keys: [String], in transaction: Transaction
    ) throws {
        let records = try store.get(keys, in: transaction).compactMap(\.self)
        try #require(records.count == 3)
        var updates = records.prefix(2).map { record in
            RecordUpdate(
                record.key, version: record.version, body: record.body, extra: record.extra,
                flags: record.flags, expecting: .revision(of: record))
        }
        updates[1].flags = .deleted
        updates.insert(
            RecordUpdate("inserted", version: [1, 2], body: nil, expecting: .absent), at: 0)
        for update in updates {
            guard case .saved = try store.put(update, in: transaction) else {
                Issue.record("a conflict at \(update.key)")
                return
            }
        }
        try store.setExpiration(1000, of: keys[2], in: transaction)
        #expect(try store.purgeExpired(at: 1000, in: transaction) == 1)
    }
}
