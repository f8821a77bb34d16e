internal import FleeceLite
internal import SQLCore

/// One call of a function of the query language: its arguments as JSON sees them, and the place
/// for its result.
struct FunctionCall {
    let raw: SQLRawCall
    let functions: FunctionContext

    /// Makes a call of what SQLite hands over, and an error of the statement of what `body` throws.
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

    /// How many arguments there are.
    var count: Int { raw.count }

    /// An argument as JSON sees it.
    subscript(index: Int) -> FunctionValue { raw.value(at: index, functions) }

    /// All arguments from one on.
    func values(from first: Int = 0) -> [FunctionValue] {
        (first..<max(first, count)).map { self[$0] }
    }

    /// Whether one of the arguments is missing.
    var hasMissing: Bool { (0..<count).contains { raw.isNull(at: $0) } }

    /// Fails for a function of any number of arguments unless there are so many.
    func requireCount(_ minimum: Int, of name: StaticString) throws {
        guard count >= minimum else {
            throw SQLError(
                code: .error, message: "\(name)() needs at least \(minimum) arguments")
        }
    }
}

/// What results may come to, so that a short statement cannot take all memory.
package enum FunctionLimits {
    /// Bytes of a text, or of an array or object that is put together: 64 MiB.
    package static let bytes = 1 << 26
    /// Elements of an array that is put together.
    static let elements = 1_000_000

    /// Throws unless a result may have so many bytes.
    static func requireBytes(_ count: Int) throws {
        guard count <= bytes else {
            throw SQLError(code: .error, message: "a result of more than \(bytes) bytes")
        }
    }

    /// Throws unless an array may have so many elements.
    static func requireElements(_ count: Int) throws {
        guard count <= elements else {
            throw SQLError(code: .error, message: "an array of more than \(elements) elements")
        }
    }
}
