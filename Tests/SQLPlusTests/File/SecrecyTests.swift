import Foundation
import SQLCore
import SQLPlus
import SampleData
import StoreTestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("No file contains plaintext of an encrypted database")
struct SecrecyTests {
    let directory: TemporaryDirectory
    /// A string that no other test writes, so that a match comes from this test.
    let marker: String

    init() throws {
        directory = try TemporaryDirectory()
        marker = "marker-\(UUID().uuidString)"
    }

    /// The files of the directory that contain the marker, and the number of all files. Another
    /// process reads them.
    private func leaks() throws -> (names: [String], count: Int) {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        let found = try names.filter { name in
            guard !name.hasSuffix("-copy") else { return false }
            let copy = directory("bytes-copy")
            try FileCopy.copy(directory(name), copy)
            return try FileCopy.bytes(copy).contains(Array(marker.utf8))
        }
        return (found, names.filter { !$0.hasSuffix("-copy") }.count)
    }

    private func open(_ key: EncryptionKey?) throws -> SQLContext {
        let context = try SQLContext(path: directory("a.db"), configuration: .plus(key: key))
        try context.exec(sql: "PRAGMA cache_size = 4; PRAGMA temp_store = file")
        return context
    }

    /// Rows that all contain the marker, at different offsets of pages.
    private func fill(_ table: String, _ count: Int = 300) -> String {
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        INSERT INTO \(table) SELECT i * 7919 % 1009, printf('%0' || (i % 90 + 1) || 'd', i)
            || '\(marker)' FROM n
        """
    }

    @Test(
        "not the database, journal or WAL, while it is open",
        arguments: [
            "delete", "truncate", "persist", "wal", "memory",
        ])
    func files(mode: String) throws {
        for key in [EncryptionKey.random(), nil] {
            let context = try open(key)
            try context.exec(sql: "PRAGMA journal_mode = \(mode); CREATE TABLE t (a, b)")
            try context.exec(sql: fill("t"))
            try context.exec(sql: "CREATE INDEX \"\(marker)\" ON t (b)")
            try context.exec(sql: "BEGIN; UPDATE t SET a = a + 1, b = b || 'x'")
            let found = try leaks()
            #expect(found.count == (mode == "memory" ? 1 : mode == "wal" ? 3 : 2))
            // In a plaintext database it is found: the search works.
            let expected =
                key != nil
                ? []
                : mode == "wal"
                    ? ["a.db-wal"]
                    : mode == "memory"
                        ? ["a.db"]
                        : ["a.db", "a.db-journal"]
            #expect(Set(expected).isSubset(of: found.names) && (key == nil || found.names == []))
            try context.exec(sql: "COMMIT; PRAGMA wal_checkpoint; DELETE FROM t WHERE a % 3 = 1")
            if key != nil { #expect(try leaks().names == []) }
            try context.exec(sql: "VACUUM")
            if key != nil { #expect(try leaks().names == []) }
            try context.close()
            #expect(try leaks().names.isEmpty == (key != nil))
            for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
                try FileManager.default.removeItem(atPath: directory(name))
            }
        }
    }

    @Test("not an export with a key, nor files of a key change or an encryption")
    func copies() throws {
        let context = try open(.random())
        try context.exec(sql: "CREATE TABLE t (a, b)")
        try context.exec(sql: fill("t"))
        try context.export(directory("export.db"), key: .random())
        try context.rekey(.random())
        try context.attach(path: directory("attached.db"), as: "other", key: .random())
        try context.exec(sql: "CREATE TABLE other.u AS SELECT * FROM t ORDER BY b")
        try context.close()
        #expect(try leaks().names == [])
        #expect(try leaks().count == 3)
        let plain = try SQLContext(path: directory("plain.db"), configuration: .plus)
        try plain.exec(sql: "CREATE TABLE t (a, b)")
        try plain.exec(sql: fill("t"))
        try plain.close()
        #expect(try leaks().names == ["plain.db"])
        try DatabaseEncryption.encrypt(path: directory("plain.db"), key: .random())
        #expect(try leaks().names == [])
    }
}

#if os(Linux)
    // Files that are deleted but open.
    extension SecrecyTests {
        /// Of the temporary files of this process that are open and deleted: how many hold the
        /// marker, and how many bytes all of them have.
        private func temporaryFiles() throws -> (leaks: Int, bytes: Int) {
            var found = (leaks: 0, bytes: 0)
            for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
                guard let file = Int32(name),
                    let target = try? FileManager.default.destinationOfSymbolicLink(
                        atPath: "/proc/self/fd/\(name)"),
                    target.contains("etilqs_")
                else { continue }
                let bytes = contents(file)
                found.bytes += bytes.count
                if bytes.contains(Array(marker.utf8)) { found.leaks += 1 }
            }
            return found
        }

        /// The file cannot be opened again, since it is deleted.
        private func contents(_ file: Int32) -> [UInt8] {
            var status = stat()
            guard fstat(file, &status) == 0, status.st_size > 0 else { return [] }
            return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
                count = max(0, pread(file, buffer.baseAddress, buffer.count, 0))
            }
        }

        /// Steps through some rows, and checks the files meanwhile.
        private func look(_ context: SQLContext, _ sql: String) throws -> (leaks: Int, bytes: Int) {
            let statement = try context.prepare(sql: sql)
            for _ in 0..<5 { #expect(try statement.next()) }
            let found = try temporaryFiles()
            statement.close()
            return found
        }

        /// Each creates files of another kind.
        private static let statements = [
            "SELECT a, b FROM t ORDER BY b || a DESC",
            "SELECT DISTINCT b || a FROM t",
            "SELECT b FROM t EXCEPT SELECT b || 'x' FROM t",
            "SELECT b FROM temp.u ORDER BY a",
            "WITH RECURSIVE r(a, b) AS (SELECT a, b FROM t UNION SELECT a + 2000, b FROM r "
                + "WHERE a < 5000) SELECT * FROM r ORDER BY b",
        ]

        @Test(
            "not what statements sort, compare and materialize in files", arguments: [true, false])
        func temporaries(isEncrypted: Bool) throws {
            let context = try open(isEncrypted ? .random() : nil)
            try context.exec(sql: "CREATE TABLE t (a, b); CREATE TEMP TABLE u (a, b)")
            try context.exec(sql: "PRAGMA temp.cache_size = 4")
            try context.exec(sql: fill("t", 20_000))
            try context.exec(sql: "INSERT INTO temp.u SELECT * FROM t")
            for sql in Self.statements {
                let found = try look(context, sql)
                #expect(found.bytes > 100_000, "\(sql): \(found)")
                #expect(found.leaks == 0, "\(sql): \(found)")
            }
            try context.close()
        }

        @Test("not the journals of savepoints and statements")
        func subjournals() throws {
            let context = try open(.random())
            try context.exec(sql: "CREATE TABLE t (a, b UNIQUE); CREATE TEMP TABLE u (a, b)")
            try context.exec(sql: fill("t", 5000))
            try context.exec(sql: "INSERT INTO u SELECT * FROM t")
            try context.exec(
                sql: """
                    BEGIN; UPDATE t SET a = 1; UPDATE u SET a = 1;
                    SAVEPOINT s; UPDATE t SET b = b || 'x'; UPDATE u SET b = b || 'x';
                    SAVEPOINT q; UPDATE t SET b = b || 'y'; UPDATE u SET b = b || 'y'
                    """)
            let found = try temporaryFiles()
            #expect(found.bytes > 500_000)
            #expect(found.leaks == 0)
            #expect(try leaks().names == [])
            try context.exec(sql: "ROLLBACK TO s; COMMIT")
            #expect(
                try context.selectValue(sql: "SELECT count(*) FROM t WHERE b LIKE '%x'")
                    == .long(0))
            #expect(try context.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
            try context.close()
        }
    }
#endif
