import DataFileCore
import FleeceLite
import SQLCore
import SampleData
import StoreFormat
import StoreTestSupport
import Testing
@testable import StoreTools

@Suite("Records of several stores that expire")
struct ExpiringTests {
    private let store: TemporaryStore
    private let stores: [KeyStore]
    private var file: DataFile { store.file }

    init() throws {
        store = try TemporaryStore(options: TransferFixture.options())
        stores = try ["_default", "hr.staff", "empty"].map {
            DocumentCollection(try CollectionName($0)).keyStore
        }
    }

    private func all(_ stores: [KeyStore]) throws -> [Expiring] {
        try file.read { snapshot in
            var all: [Expiring] = []
            try snapshot.forEachExpiring(of: stores) {
                all.append($0)
                return true
            }
            return all
        }
    }

    @Test("are ordered by expiration, then store and key, as a full scan finds them")
    func order() throws {
        let seed: UInt64 = 11
        var random = SeededGenerator(seed: seed)
        try file.write { transaction in
            for name in ["_default", "hr.staff", "empty"] {
                try DocumentCollection(try CollectionName(name)).create(in: transaction)
            }
            for number in 0..<300 {
                let place = random.below(2)
                let collection = DocumentCollection(
                    try CollectionName(place == 0 ? "_default" : "hr.staff"))
                let id = "é\(random.below(200))"
                _ = try collection.save(id, in: transaction) { try $0.writeJSON("{}") }
                if number % 7 == 0 { _ = try collection.delete(id, in: transaction) }
                guard number % 3 == 0 else { continue }
                try stores[place].setExpiration(
                    Int64(random.below(20)), of: id, in: transaction)
            }
        }
        var expected: [Expiring] = []
        try file.read { snapshot in
            var options = RecordEnumerator.Options()
            options.includesDeleted = true
            for (place, store) in stores.enumerated() {
                let records = try store.records(options, in: snapshot)
                while let record = try records.next() {
                    guard let expiration = record.expiration else { continue }
                    expected.append(
                        Expiring(store: place, key: record.key, expiration: expiration))
                }
            }
        }
        // The scan is ordered by store and key already.
        expected = expected.enumerated().sorted {
            ($0.element.expiration, $0.offset) < ($1.element.expiration, $1.offset)
        }.map(\.element)
        #expect(!expected.isEmpty)
        #expect(try all(stores) == expected, "seed \(seed)")
        for (place, store) in stores.enumerated() {
            let own = expected.filter { $0.store == place }
            let counts = try file.read { snapshot in
                try (
                    store.expiringCount(in: snapshot),
                    store.expiringCount(upTo: 9, in: snapshot)
                )
            }
            #expect(counts.0 == own.count)
            #expect(counts.1 == own.count { $0.expiration <= 9 })
        }
    }

    @Test("are read only as far as requested, and a missing store is an error")
    func ends() throws {
        try file.write { transaction in
            for id in ["a", "b", "c"] {
                _ = try DocumentCollection(.default).save(id, in: transaction) {
                    try $0.writeJSON("{}")
                }
                try stores[0].setExpiration(5, of: id, in: transaction)
            }
        }
        var keys: [String] = []
        try file.read { snapshot in
            try snapshot.forEachExpiring(of: [stores[0]]) {
                keys.append($0.key)
                return keys.count < 2
            }
        }
        #expect(keys == ["a", "b"])
        #expect(throws: StoreError.self) { try all(stores) }
        #expect(throws: StoreError.self) {
            try file.read { try stores[2].expiringCount(in: $0) }
        }
    }

    @Test("are counted by the index on expirations, not by a full scan")
    func plan() throws {
        try file.write { transaction in
            _ = try DocumentCollection(.default).save("a", in: transaction) {
                try $0.writeJSON("{}")
            }
            try stores[0].setExpiration(5, of: "a", in: transaction)
        }
        try file.read { snapshot in
            var plan = ""
            try snapshot.sqlRows(
                "EXPLAIN QUERY PLAN SELECT key, expiration FROM kv_default "
                    + "WHERE expiration NOT NULL AND expiration < '' ORDER BY expiration, key"
            ) { row in
                plan += (row.value(at: 3).textValue ?? "") + "\n"
                return true
            }
            #expect(plan.contains("kv_default_expiration"), "\(plan)")
        }
    }
}
