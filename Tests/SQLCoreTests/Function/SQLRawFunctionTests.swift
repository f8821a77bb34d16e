import SQLCore
import Testing

@Suite("Raw SQL functions")
struct SQLRawFunctionTests {
    let context: SQLContext

    init() throws {
        context = try SQLContext()
    }

    @Test("every kind of argument is read without a copy, and every kind of result is given")
    func everyType() throws {
        try context.registerRawFunction("echo", argumentCount: 1) { context, count, arguments in
            let call = SQLRawCall(context, count, arguments)
            switch call.type(at: 0) {
            case .long: call.setResult(call.int64(at: 0))
            case .real: call.setResult(call.double(at: 0))
            case .text: call.setText(call.text(at: 0))
            case .blob: call.setBlob(call.blob(at: 0))
            default: call.setNull()
            }
        }
        let values: [SQLValue] = [
            .long(.min), .real(-0.5), .text("a\0b"), .text(""), .blob([0, 1]), .blob([]), .null,
        ]
        for value in values {
            #expect(try context.selectValue(sql: "SELECT echo(?)", parameters: [value]) == value)
        }
    }

    @Test("conversions are those of SQL")
    func conversions() throws {
        try context.registerRawFunction("parts", argumentCount: 1) { context, count, arguments in
            let call = SQLRawCall(context, count, arguments)
            let sum = Double(call.int64(at: 0)) + call.double(at: 0)
            call.setResult(call.isNull(at: 0) ? -1 : sum)
        }
        let rows = try context.selectAll(
            sql: "SELECT parts('12.5x'), parts(NULL), parts(x'3132'), parts(1e300)")
        // Above 64 bits, the result is the largest integer.
        #expect(rows == [[.real(24.5), .real(-1), .real(24), .real(1e300 + 0x1p63)]])
    }

    @Test("a result can be an argument, static text, a Boolean or an error with a code")
    func results() throws {
        try context.registerRawFunction("second", argumentCount: 2) { context, count, arguments in
            SQLRawCall(context, count, arguments).setResult(argumentAt: 1)
        }
        try context.registerRawFunction("fixed", argumentCount: 0) { context, _, _ in
            let text: StaticString = "fixed"
            SQLRawCall(context).setText(
                UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount),
                .unlimited)
        }
        try context.registerRawFunction("yes", argumentCount: 0) { context, _, _ in
            SQLRawCall(context).setResult(true)
        }
        try context.registerRawFunction("fail", argumentCount: 0) { context, _, _ in
            SQLRawCall(context).setError("no space", code: .full)
        }
        #expect(
            try context.selectAll(sql: "SELECT second(1, 'b'), fixed() || '!', yes()")
                == [[.text("b"), .text("fixed!"), .long(1)]])
        let error = #expect(throws: SQLError.self) { try context.selectAll(sql: "SELECT fail()") }
        #expect(error?.code == .full)
        #expect(error?.message == "no space")
    }

    @Test("a subtype is passed from a function to the enclosing one")
    func subtype() throws {
        try context.registerRawFunction("marked", argumentCount: 0) { context, _, _ in
            let call = SQLRawCall(context)
            call.setResult(Int64(1))
            call.setSubtype(74)
        }
        try context.registerRawFunction(
            "mark_of", argumentCount: 1, flags: [.deterministic, .subtype]
        ) { context, count, arguments in
            let call = SQLRawCall(context, count, arguments)
            call.setResult(Int64(call.subtype(at: 0)))
        }
        #expect(
            try context.selectAll(sql: "SELECT mark_of(marked()), mark_of(1)")
                == [[.long(74), .long(0)]])
    }

    @Test("an object bound as a pointer is visible only by its type name, and is released")
    func pointers() throws {
        final class Payload { let number: Int64 = 99 }
        try context.registerRawFunction("peek", argumentCount: 1) { context, count, arguments in
            let call = SQLRawCall(context, count, arguments)
            guard let pointer = call.pointer(at: 0, type: "payload") else {
                return call.setNull()
            }
            Unmanaged<Payload>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
                call.setResult($0.number)
            }
        }
        weak var witness: Payload?
        do {
            let statement = try context.prepare(sql: "SELECT peek(?1), ?1 IS NULL")
            let payload = Payload()
            witness = payload
            try statement.bindPointer(payload, type: "payload", at: 1)
            #expect(try statement.next())
            #expect(statement.rowValues() == [.long(99), .long(1)])
            statement.reset()
            try statement.bindPointer(payload, type: "other", at: 1)
            #expect(try statement.next())
            #expect(statement.rowValues() == [.null, .long(1)])
            #expect(throws: SQLError.self) {
                try statement.bindPointer(payload, type: "payload", at: 2)
            }
        }
        #expect(witness == nil)
    }

    @Test("the state of a function is passed to it, and released with it")
    func state() throws {
        final class Counter { var value: Int64 = 0 }
        weak var witness: Counter?
        do {
            let counter = Counter()
            witness = counter
            try context.registerRawFunction(
                "tick", argumentCount: 0, flags: [], state: counter
            ) { context, _, _ in
                let call = SQLRawCall(context)
                call.withState(Counter.self) {
                    $0.value += 1
                    call.setResult($0.value)
                }
            }
        }
        #expect(try context.selectAll(sql: "SELECT tick() + 10 * tick()") == [[.long(21)]])
        #expect(witness != nil)
        try context.removeFunction("tick", argumentCount: 0)
        #expect(witness == nil)
        weak var refused: Counter?
        do {
            let counter = Counter()
            refused = counter
            #expect(throws: SQLError.self) {
                try context.registerRawFunction("f", argumentCount: 999, state: counter) {
                    _, _, _ in
                }
            }
        }
        #expect(refused == nil)
    }
}
