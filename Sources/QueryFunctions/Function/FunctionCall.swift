internal import FleeceLite
internal import SQLCore

/// One call of a function of the query language: its arguments as JSON values, and its result.
struct FunctionCall {
    let raw: SQLRawCall
    let functions: FunctionContext

    /// Creates a call from SQLite's arguments; an error of `body` becomes an error of the
    /// statement.
    @inline(__always)
    static func run(
        _ context: OpaquePointer?, _ count: Int32,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ body: (FunctionCall) throws -> Void
    ) {
        let raw = SQLRawCall(context, count, arguments)
        raw.withState(FunctionContext.self) { functions in
            do {
                try body(FunctionCall(raw: raw, functions: functions))
            } catch {
                functions.encoder.reset()
                raw.setError(error)
            }
        }
    }

    /// The number of arguments.
    var count: Int { raw.count }

    /// An argument as a JSON value.
    subscript(index: Int) -> FunctionValue { raw.value(at: index, functions) }

    /// The arguments from an index on.
    func values(from first: Int = 0) -> [FunctionValue] {
        (first..<max(first, count)).map { self[$0] }
    }

    /// Whether one of the arguments is missing.
    var hasMissing: Bool { (0..<count).contains { raw.isNull(at: $0) } }

    /// - Throws: if a variadic function has too few arguments.
    func requireCount(_ minimum: Int, of name: StaticString) throws {
        guard count >= minimum else {
            throw SQLError(
                code: .error, message: "\(name)() needs at least \(minimum) arguments")
        }
    }
}

/// Limits of results, so that a short statement cannot exhaust the memory.
package enum FunctionLimits {
    /// The size of a string, or of a constructed array or object: 64 MiB.
    package static let bytes = 1 << 26
    /// The number of elements of a constructed array.
    static let elements = 1_000_000

    /// - Throws: if a result of so many bytes exceeds the limit.
    static func requireBytes(_ count: Int) throws {
        guard count <= bytes else {
            throw SQLError(code: .error, message: "a result of more than \(bytes) bytes")
        }
    }

    /// - Throws: if an array of so many elements exceeds the limit.
    static func requireElements(_ count: Int) throws {
        guard count <= elements else {
            throw SQLError(code: .error, message: "an array of more than \(elements) elements")
        }
    }
}
