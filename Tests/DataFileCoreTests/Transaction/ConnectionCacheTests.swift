import EngineTestSupport
import FleeceLite
import QueryFunctions
import SQLCore
import SampleData
import StoreFormat
import StoreTestSupport
import Testing
@testable import DataFileCore

/// Random interleavings of transactions, rollbacks, savepoints, changes of the schema and
/// maintenance with the commits of another program; after each step all caches are compared with
/// the file.
@Suite("The caches of connections equal the file")
struct ConnectionCacheTests {
    private static let stores = ["default", ".a", ".b", "raw", "info"].map { KeyStoreName($0) }
    private static let collections = stores.filter(\.isCollection)

    private final class Run {
        let fixture: EngineFixture
        let file: DataFile
        /// Another program, or another process.
        let other: SQLContext
        let otherFunctions: FunctionContext
        var random: SeededGenerator
        var comparison = CacheComparison(ConnectionCacheTests.stores)

        init(seed: Int) throws {
            fixture = try EngineFixture()
            file = try fixture.open { $0.readers = 2 }
            other = try fixture.sqlite()
            otherFunctions = try .forMaintenance(of: other, path: fixture.path)
            random = SeededGenerator(seed: UInt64(seed))
        }
    }

    @Test(
        "after each of 150 random steps",
        arguments: 0..<TestEnvironment.number("STORE_HISTORIES", or: 12))
    func model(number: Int) throws {
        let run = try Run(seed: number + 1000 * TestEnvironment.number("STORE_SEED", or: 1))
        for _ in 0..<TestEnvironment.number("STORE_HISTORY_OPERATIONS", or: 150) {
            switch run.random.below(8) {
            case 0...2: try write(run)
            case 3, 4: try commitOfOther(run)
            case 5: try maintain(run)
            default: try run.file.read { try run.comparison.check($0, isClean: true) }
            }
        }
        run.file.close()
        try run.other.close()
    }

    @Test("an error in a read leaves the caches of its connection valid")
    func errorInRead() throws {
        let fixture = try EngineFixture()
        let file = try fixture.open { $0.readers = 1 }
        let before = try file.read { try $0.connection().token }
        #expect(throws: Mishap.self) { try file.read { _ in throw Mishap() } }
        #expect(try file.read { try $0.connection().token } == before)
    }

    @Test("a rollback keeps what is known about the schema, unless it undoes a change of it")
    func schemaAfterRollback() throws {
        let fixture = try EngineFixture()
        let file = try fixture.open()
        let store = KeyStore(KeyStoreName(".a"))
        func token() throws -> SchemaToken { try file.write { try $0.connection().schemaToken } }
        func abandon(_ body: (Transaction) throws -> Void) throws {
            #expect(throws: Mishap.self) {
                try file.write { transaction in
                    try body(transaction)
                    throw Mishap()
                }
            }
        }
        // The first write checks the file for an upgrade, which may change the schema.
        _ = try token()
        try abandon { _ in }
        let before = try token()
        try abandon { try fixture.store.set("a", in: $0) }
        #expect(try token() == before)
        try abandon { try store.create(in: $0) }
        #expect(try token() != before)
        #expect(try !file.read { try store.exists(in: $0) })
        #expect(try !file.write { try store.exists(in: $0) })
    }

    /// A transaction, with savepoints, that may be rolled back.
    private func write(_ run: Run) throws {
        let isAbandoned = run.random.below(3) == 0
        do {
            try run.file.write { transaction in
                try run.comparison.check(transaction, isClean: true)
                for _ in 0...run.random.below(4) {
                    if run.random.below(3) == 0 {
                        try savepoint(run, transaction)
                    } else {
                        try change(run, transaction)
                    }
                    try run.comparison.check(transaction, isClean: false)
                }
                if isAbandoned { throw Mishap() }
            }
        } catch is Mishap {}
    }

    private func savepoint(_ run: Run, _ transaction: Transaction) throws {
        let before = try known(transaction)
        let isAbandoned = run.random.below(2) == 0
        do {
            try transaction.savepoint {
                for _ in 0...run.random.below(3) { try change(run, transaction) }
                if isAbandoned { throw Mishap() }
            }
        } catch is Mishap {
            #expect(try known(transaction) == before)
        }
    }

    /// What a transaction knows beside the file: counts that are not written yet.
    private func known(_ transaction: Transaction) throws -> [String] {
        try Self.collections.filter { try KeyStore($0).exists(in: transaction) }.map { name in
            let store = KeyStore(name)
            let (last, purges) = try (
                store.lastSequence(in: transaction), store.purgeCount(in: transaction)
            )
            return "\(name.rawName) \(last) \(purges) \(try store.count(in: transaction))"
        } + transaction.sharedKeys.keys
    }

    private func change(_ run: Run, _ transaction: Transaction) throws {
        let store = KeyStore(run.random.pick(Self.collections))
        let key = "k\(run.random.below(6))"
        switch run.random.below(11) {
        case 0: try store.create(in: transaction)
        case 1 where store.name != .default: try store.delete(in: transaction)
        case 2:
            let raw = KeyStore(run.random.pick([KeyStoreName("raw"), .info]))
            try raw.putRaw(RawRecord(body: [1]), for: key, in: transaction)
        case 3: try changeIndex(run, transaction)
        case 4...6:
            let property = "p\(run.random.below(40))"
            _ = try DocumentCollection(.default).save(key, in: transaction) {
                try $0.writeJSON(#"{"\#(property)":\#(key.utf8.count)}"#)
            }
        case 7: _ = try DocumentCollection(.default).delete(key, in: transaction)
        default:
            guard try store.exists(in: transaction) else { return }
            try changeRow(run, key, of: store, transaction)
        }
    }

    private func changeRow(
        _ run: Run, _ key: String, of store: KeyStore, _ transaction: Transaction
    ) throws {
        switch run.random.below(4) {
        case 0: try store.purge(key, in: transaction)
        case 1: try store.setExpiration(.max, of: key, in: transaction)
        case 2:
            try LazyIndex.allCases.randomElement(using: &run.random).map {
                _ = try store.tables(in: transaction).create($0, in: transaction)
            }
        default:
            guard store.name != .default else { return }
            try store.set(
                key, "{}", flags: run.random.below(3) == 0 ? .deleted : [], in: transaction)
        }
    }

    private func changeIndex(_ run: Run, _ transaction: Transaction) throws {
        let people = DocumentCollection(.default)
        switch run.random.below(4) {
        case 0:
            let spec = IndexSpec.fullText("words", on: .json(#"[[".p1"]]"#))
            try people.createIndex(spec, in: transaction)
        case 1: try people.createIndex(.value("p", on: .json(#"[[".p2"]]"#)), in: transaction)
        case 2: try people.deleteIndex("words", in: transaction)
        default: try people.deleteIndex("p", in: transaction)
        }
    }

    private func maintain(_ run: Run) throws {
        switch run.random.below(3) {
        case 0: try run.file.vacuum()
        case 1: try run.file.optimize()
        default: try run.file.reindex()
        }
    }
}

// What another program does.
extension ConnectionCacheTests {
    private func commitOfOther(_ run: Run) throws {
        let context = run.other
        let isAbandoned = run.random.below(6) == 0
        run.otherFunctions.forgetKeys()
        try context.exec(sql: "PRAGMA trusted_schema=on")
        try context.exec(sql: "BEGIN IMMEDIATE")
        for _ in 0...run.random.below(3) { try changeByOther(run, context) }
        try context.exec(sql: isAbandoned ? "ROLLBACK" : "COMMIT")
    }

    private func changeByOther(_ run: Run, _ context: SQLContext) throws {
        let name = run.random.pick(Self.collections)
        let exists = try context.columns(ofTable: name.tableName) != nil
        switch run.random.below(7) {
        case 0: if !exists { try StoreSchema.create(name, in: context) }
        case 1: if exists, name != .default { _ = try StoreSchema.delete(name, in: context) }
        case 2: if exists { try addRow(run, to: name, context) }
        case 3: try addSharedKey(run, context)
        case 4:
            let depth = UInt64(1 + run.random.below(5))
            try InfoRow.set(InfoKey.maximumTreeDepth, to: depth, in: context)
        case 5:
            if exists {
                _ = try LazyIndex.sequences.create(on: name.tableName, in: context)
            }
        default:
            try context.exec(
                sql: """
                    INSERT OR IGNORE INTO kvmeta (name, lastSeq, purgeCnt)
                    VALUES ('\(name.rawName)', 0, 0);
                    UPDATE kvmeta SET purgeCnt = ifnull(purgeCnt, 0) + 1
                    WHERE name='\(name.rawName)'
                    """)
        }
    }

    private func addRow(_ run: Run, to name: KeyStoreName, _ context: SQLContext) throws {
        guard name != .default else { return }
        let isTombstone = run.random.below(3) == 0
        let table = (isTombstone ? name.tombstoneTableName : name.tableName).sqlName
        let last =
            try context.selectValue(
                sql: """
                    SELECT max((SELECT ifnull(max(lastSeq), 0) FROM kvmeta WHERE name=?1),
                        (SELECT ifnull(max(sequence), 0) FROM \(name.tableName.sqlName)),
                        (SELECT ifnull(max(sequence), 0) FROM \(name.tombstoneTableName.sqlName)))
                    """, parameters: [.text(name.rawName)])?.longValue ?? 0
        try context.exec(
            sql: """
                INSERT INTO \(table) (key, sequence, flags, version)
                VALUES ('other\(last)', \(last + 1), \(isTombstone ? 1 : 0), x'01');
                INSERT OR REPLACE INTO kvmeta (name, lastSeq, purgeCnt) VALUES (
                    '\(name.rawName)', \(last + 1),
                    (SELECT purgeCnt FROM kvmeta WHERE name='\(name.rawName)'))
                """)
    }

    private func addSharedKey(_ run: Run, _ context: SQLContext) throws {
        let row = try context.selectValue(
            sql: "SELECT body FROM kv_info WHERE key=?", parameters: [.text(InfoKey.sharedKeys)])
        var keys = SharedKeys()
        if case .blob(let bytes)? = row { keys = try SharedKeys(state: [UInt8](bytes)) }
        _ = keys.add("p\(run.random.below(40))")
        try InfoRow.set(InfoKey.sharedKeys, to: keys.stateData(), in: context)
    }
}
