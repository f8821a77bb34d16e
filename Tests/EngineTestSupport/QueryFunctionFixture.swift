internal import FleeceLite
internal import QueryFunctions
package import SQLCore

/// A connection with the query functions, which evaluates expressions.
///
/// In expressions `J('…')` stands for the value of a JSON text.
package struct QueryFunctionFixture {
    package let context: SQLContext
    let functions: FunctionContext

    package init() throws {
        context = try SQLContext()
        functions = try FunctionContext(sharedKeys: SharedKeys())
        try QueryFunctions.register(in: context, functions)
    }

    /// The value of an expression as JSON, or `MISSING`.
    package func answer(_ expression: String) throws -> String {
        let sql = "SELECT encode_json(\(Self.plain(expression)))"
        let statement = try context.prepare(sql: sql)
        defer { statement.close() }
        guard try statement.next() else { return "no row" }
        let value: SQLValue = statement.value(at: 0)
        return if case .text(let text) = value { text } else { "MISSING" }
    }

    /// The message of the error that an expression throws, nil if it has a value.
    package func message(_ expression: String) -> String? {
        do {
            _ = try answer(expression)
            return nil
        } catch {
            return (error as? SQLError)?.message ?? "\(error)"
        }
    }

    private static func plain(_ expression: String) -> String {
        let pieces = expression.split(separator: "J(", omittingEmptySubsequences: false)
        return pieces.joined(separator: "decode_json(")
    }
}

/// An expression and its result as JSON.
package struct Answer: CustomStringConvertible, Sendable {
    package let expression: String
    package let json: String

    package var description: String { expression }

    package init(_ expression: String, _ json: String) {
        self.expression = expression
        self.json = json
    }
}
