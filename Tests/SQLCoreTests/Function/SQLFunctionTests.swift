import SQLCore
import Testing

@Suite("SQL functions")
struct SQLFunctionTests {
    let context: SQLContext

    init() throws {
        context = try SQLContext()
    }

    @Test("a function receives its arguments and returns a value of any type")
    func everyType() throws {
        try context.registerFunction("echo", argumentCount: 1) { $0.value(at: 0) }
        let values: [SQLValue] = [
            .long(3), .real(0.5), .text("a\0b"), .text(""), .blob([1, 0]), .blob([]), .null,
        ]
        for value in values {
            #expect(
                try context.selectAll(
                    sql: "SELECT echo(?1), typeof(echo(?1)) = typeof(?1)", parameters: [value])
                    == [[value, .long(1)]])
        }
    }

    @Test("what a function throws is the statement's error")
    func throwing() throws {
        struct Refusal: Error, CustomStringConvertible {
            let description = "not today"
        }
        try context.registerFunction("refuse") { _ in throw Refusal() }
        let error = #expect(throws: SQLError.self) {
            try context.selectAll(sql: "SELECT refuse(1, 2)")
        }
        #expect(error?.message == "not today")
    }

    @Test("a deterministic function can be used in an index, another one cannot")
    func flags() throws {
        try context.exec(sql: "CREATE TABLE t (a)")
        try context.registerFunction("fixed", argumentCount: 1) { $0.value(at: 0) }
        try context.registerFunction("loose", argumentCount: 1, flags: []) { $0.value(at: 0) }
        try context.exec(sql: "CREATE INDEX i ON t (fixed(a))")
        #expect(throws: SQLError.self) { try context.exec(sql: "CREATE INDEX j ON t (loose(a))") }
    }

    @Test("a function's closure is released with its connection, and when it is replaced")
    func lifetime() throws {
        final class Witness {}
        weak var first: Witness?
        weak var second: Witness?
        do {
            let context = try SQLContext()
            for index in 0..<2 {
                let witness = Witness()
                if index == 0 { first = witness } else { second = witness }
                try context.registerFunction("f", argumentCount: 0) { _ in
                    withExtendedLifetime(witness) { .null }
                }
            }
            #expect(first == nil)
            #expect(second != nil)
        }
        #expect(second == nil)
    }

    @Test(
        "names that begin with sqlcore_ are reserved",
        arguments: ["sqlcore_collation_needed", "SQLCore_x"])
    func ownNames(name: String) throws {
        try context.setCollationNeeded { _ in { $0.count - $1.count } }
        let calls: [(SQLContext) throws -> Void] = [
            { try $0.removeFunction(name, argumentCount: 0) },
            { try $0.registerFunction(name, argumentCount: 0) { _ in .null } },
            { try $0.registerRawFunction(name, argumentCount: 0) { _, _, _ in } },
            {
                try $0.registerRawAggregate(
                    name, argumentCount: 0, step: { _, _, _ in }, finish: { _ in })
            },
        ]
        for call in calls {
            let error = #expect(throws: SQLError.self) { try call(context) }
            #expect(error?.code == .misuse)
            #expect(
                error?.message
                    == "function names that begin with sqlcore_ are reserved; choose another name")
        }
        #expect(
            try context.selectValue(sql: "SELECT 'ab' = 'cd' COLLATE by_length") == .long(1))
    }
}
