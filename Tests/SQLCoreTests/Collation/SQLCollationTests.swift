import SQLCore
import Testing

@Suite("Collations")
struct SQLCollationTests {
    let context: SQLContext

    init() throws {
        context = try SQLContext()
        try context.exec(
            sql: "CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('bb'), ('a'), (''), ('ccc')")
    }

    private func texts(_ sql: String) throws -> [String?] {
        try context.selectAll(sql: sql).map { $0[0].textValue }
    }

    @Test("a collation sorts, compares and is used by an index")
    func strings() throws {
        try context.registerCollation("by_length") { $0.count - $1.count }
        #expect(
            try texts("SELECT a FROM t ORDER BY a COLLATE by_length DESC")
                == ["ccc", "bb", "a", ""])
        #expect(
            try context.selectValue(sql: "SELECT 'xx' = 'yy' COLLATE by_length") == .long(1))
        try context.exec(sql: "CREATE INDEX i ON t (a COLLATE by_length)")
        #expect(try texts("SELECT a FROM t WHERE a COLLATE by_length = 'zzz'") == ["ccc"])
    }

    @Test("a byte collation receives the UTF-8 of each string, including NUL")
    func bytes() throws {
        try context.registerByteCollation("by_last_byte") { first, second in
            Int(first.last ?? 0) - Int(second.last ?? 0)
        }
        try context.exec(sql: "INSERT INTO t VALUES ('z' || char(0) || 'b')")
        #expect(
            try texts("SELECT a FROM t ORDER BY a COLLATE by_last_byte, length(a)")
                == ["", "a", "z\0b", "bb", "ccc"])
    }

    @Test("only the sign of a result matters", arguments: [Int.max, Int.min + 1])
    func largeResults(size: Int) throws {
        try context.registerCollation("huge") { $0 == $1 ? 0 : ($0 < $1 ? -size : size) }
        let sorted = ["", "a", "bb", "ccc"]
        #expect(
            try texts("SELECT a FROM t ORDER BY a COLLATE huge")
                == (size > 0 ? sorted : sorted.reversed()))
    }

    @Test("a raw collation receives its state")
    func raw() throws {
        final class Direction { let sign: Int32 = -1 }
        weak var witness: Direction?
        do {
            let direction = Direction()
            witness = direction
            try context.registerRawCollation("backwards", state: direction) { state, m, a, n, b in
                guard let state else { return 0 }
                let order = UnsafeRawBufferPointer(start: a, count: Int(m))
                    .lexicographicallyPrecedes(UnsafeRawBufferPointer(start: b, count: Int(n)))
                return Unmanaged<Direction>.fromOpaque(state)._withUnsafeGuaranteedRef {
                    order ? -$0.sign : $0.sign
                }
            }
        }
        #expect(
            try texts("SELECT a FROM t ORDER BY a COLLATE backwards") == ["ccc", "bb", "a", ""])
        #expect(witness != nil)
        try context.removeCollation("backwards")
        #expect(witness == nil)
    }

    @Test("a removed collation is unknown, and a refused one is released")
    func removal() throws {
        final class Witness {}
        try context.registerCollation("c") { _, _ in 0 }
        let statement = try context.prepare(sql: "SELECT a FROM t ORDER BY a COLLATE c")
        #expect(try statement.next())
        weak var witness: Witness?
        do {
            let object = Witness()
            witness = object
            let error = #expect(throws: SQLError.self) {
                try context.registerCollation("c") { _, _ in withExtendedLifetime(object) { 1 } }
            }
            #expect(error?.code == .busy)
        }
        #expect(witness == nil)
        #expect(throws: SQLError.self) { try context.removeCollation("c") }
        statement.reset()
        try context.removeCollation("c")
        try context.removeCollation("never_there")
        let error = #expect(throws: SQLError.self) {
            try texts("SELECT a FROM t ORDER BY a COLLATE c")
        }
        #expect(error?.message == "no such collation sequence: c")
    }

    @Test("a raw collation can be supplied on demand, with its state")
    func rawNeeded() throws {
        final class Direction { let sign: Int32 = -1 }
        weak var witness: Direction?
        do {
            let context = try SQLContext()
            try context.exec(
                sql: "CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('x'), ('yy'), ('')")
            try context.setRawCollationNeeded { name in
                guard name == "longest_first" else { return nil }
                let direction = Direction()
                witness = direction
                return SQLRawCollation(state: direction) { state, first, _, second, _ in
                    guard let state else { return 0 }
                    return Unmanaged<Direction>.fromOpaque(state)._withUnsafeGuaranteedRef {
                        $0.sign * (first - second)
                    }
                }
            }
            let rows = try context.selectAll(
                sql: "SELECT a FROM t ORDER BY a COLLATE longest_first")
            #expect(rows.map { $0[0].textValue } == ["yy", "x", ""])
            #expect(witness != nil)
            #expect(throws: SQLError.self) {
                try context.selectAll(sql: "SELECT a FROM t ORDER BY a COLLATE other")
            }
        }
        #expect(witness == nil)
    }

    @Test("a missing collation is requested once, and can remain unknown")
    func needed() throws {
        final class Witness { var names: [String] = [] }
        weak var released: Witness?
        do {
            let witness = Witness()
            released = witness
            let context = try SQLContext()
            try context.setCollationNeeded { _ in nil }
            try context.setCollationNeeded { name in
                witness.names.append(name)
                return name == "by_length" ? { $0.count - $1.count } : nil
            }
            for _ in 0..<2 {
                let value = try context.selectValue(sql: "SELECT 'ab' = 'cd' COLLATE by_length")
                #expect(value == .long(1))
            }
            #expect(throws: SQLError.self) {
                try context.selectValue(sql: "SELECT 'a' = 'b' COLLATE other")
            }
            #expect(witness.names == ["by_length", "other"])
        }
        #expect(released == nil)
    }
}
