import SQLCore
import Testing

@Suite("SQLContext: hooks")
struct HookTests {
    let context: SQLContext

    init() throws {
        context = try SQLContext()
        try context.exec(sql: "CREATE TABLE t (a INTEGER PRIMARY KEY, b)")
    }

    /// The calls that hooks record.
    final class Notes {
        var lines: [String] = []
    }

    @Test("all hooks are called for each row, until they are removed")
    func updates() throws {
        let (first, second) = (Notes(), Notes())
        let hook = try context.onUpdate {
            first.lines.append("\($0.action) \($0.database).\($0.table) \($0.rowID)")
        }
        try context.onUpdate { second.lines.append("\($0.rowID)") }
        try context.exec(sql: "INSERT INTO t VALUES (7, 'x'); UPDATE t SET b = 'y'")
        hook?.remove()
        hook?.remove()
        try context.exec(sql: "DELETE FROM t WHERE a = 7")
        #expect(first.lines == ["insert main.t 7", "update main.t 7"])
        #expect(second.lines == ["7", "7", "7"])
        try context.onUpdate(hook: nil)
        try context.exec(sql: "INSERT INTO t VALUES (8, 'x')")
        #expect(second.lines.count == 3)
    }

    @Test("a removed hook releases its closure")
    func noLeak() throws {
        weak var held: Notes?
        do {
            let notes = Notes()
            held = notes
            let hook = try context.onUpdate { _ in notes.lines.append("") }
            hook?.remove()
        }
        #expect(held == nil)
    }

    @Test("a commit hook can make a commit fail, and a rollback hook is called")
    func commits() throws {
        let notes = Notes()
        try context.onRollback { notes.lines.append("rollback") }
        let hook = try context.onCommit {
            notes.lines.append("commit")
            return false
        }
        let error = #expect(throws: SQLError.self) {
            try context.transaction { try context.exec(sql: "INSERT INTO t VALUES (1, 2)") }
        }
        #expect(error.map { SQLResultCode.constraint ~= $0.code } == true)
        hook.remove()
        try context.transaction { try context.exec(sql: "INSERT INTO t VALUES (1, 2)") }
        #expect(notes.lines == ["commit", "rollback"])
        #expect(try context.selectValue(sql: "SELECT count(*) FROM t") == .long(1))
    }

    @Test("a hook that uses the context gets an error, and nothing is lost")
    func useInHook() throws {
        let notes = Notes()
        try context.onCommit { [context] in
            do {
                try context.transaction { try context.exec(sql: "INSERT INTO t VALUES (77, 0)") }
            } catch {
                notes.lines.append((error as? SQLError)?.message ?? "")
            }
            return true
        }
        try context.transaction { try context.exec(sql: "INSERT INTO t VALUES (11, 0)") }
        #expect(notes.lines == ["a hook must not use its SQLContext"])
        #expect(try context.selectAll(sql: "SELECT a FROM t") == [[.long(11)]])
        try context.close()
    }

    @Test("hooks are released with the context, even one that retains it")
    func afterClose() throws {
        weak var closed: SQLContext?
        let hook: SQLHook?
        do {
            let context = try SQLContext()
            closed = context
            hook = try context.onUpdate { _ in _ = context }
            try context.close()
        }
        #expect(closed == nil)
        hook?.remove()
    }

    @Test("a hook may remove itself, and others that are being called")
    func removesItself() throws {
        let notes = Notes()
        final class Hooks { var all: [SQLHook] = [] }
        let hooks = Hooks()
        for name in ["first", "second"] {
            let hook = try context.onUpdate { _ in
                notes.lines.append(name)
                for hook in hooks.all { hook.remove() }
            }
            if let hook { hooks.all.append(hook) }
        }
        try context.exec(sql: "INSERT INTO t VALUES (1, 0), (2, 0)")
        #expect(notes.lines == ["first", "second"])
    }

    @Test("a trace has each statement with its values")
    func trace() throws {
        let notes = Notes()
        let hook = try context.trace { notes.lines.append($0) }
        try context.exec(sql: "INSERT INTO t VALUES (?, ?)", parameters: [.long(1), .text("it's")])
        hook?.remove()
        _ = try context.selectAll(sql: "SELECT * FROM t")
        #expect(notes.lines == ["INSERT INTO t VALUES (1, 'it''s')"])
    }
}
