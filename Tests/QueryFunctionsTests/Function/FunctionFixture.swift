import Foundation
import SQLCore
import FleeceLite
@testable import QueryFunctions

/// A connection in memory on which the functions are registered, and bodies for them.
final class FunctionFixture {
    let context: SQLContext
    let functions: FunctionContext
    private(set) var keys = SharedKeys()

    init() throws {
        context = try SQLContext()
        // As in a file of LiteCore: only what is innocuous may stand in the schema.
        try context.exec(sql: "PRAGMA trusted_schema=off")
        functions = try FunctionContext(sharedKeys: keys)
        try AccessorFunctions.register(in: context, functions)
        try context.registerRawFunction(
            "subtype_of", argumentCount: 1, flags: [.deterministic, .innocuous, .subtype]
        ) {
            let call = SQLRawCall($0, $1, $2)
            call.setResult(Int64(call.subtype(at: 0)))
        }
    }

    /// A body whose keys are numbers, as in a file.
    func body(_ json: String) throws -> SQLValue {
        var encoder = FleeceEncoder(sharedKeys: keys)
        try encoder.writeJSON(json)
        let bytes = try encoder.finish()
        keys = encoder.sharedKeys ?? keys
        functions.use(keys)
        return .blob(Data(bytes))
    }

    /// A body that is written by hand.
    func body(_ write: (inout FleeceEncoder) throws -> Void) throws -> SQLValue {
        var encoder = FleeceEncoder(sharedKeys: keys)
        try write(&encoder)
        let bytes = try encoder.finish()
        keys = encoder.sharedKeys ?? keys
        functions.use(keys)
        return .blob(Data(bytes))
    }

    /// What an expression gives, as `text(_:)` shows it.
    func value(_ expression: String, _ parameters: SQLValue...) throws -> String {
        let value = try context.selectValue(sql: "SELECT \(expression)", parameters: parameters)
        return Self.text(value ?? .null)
    }

    /// What a statement gives: the values of each row with spaces between.
    func rows(_ sql: String, _ parameters: SQLValue...) throws -> [String] {
        try context.selectAll(sql: sql, parameters: parameters).map { row in
            row.map(Self.text).joined(separator: " ")
        }
    }

    /// The message of a statement's error, nil if it has none.
    func error(_ expression: String, _ parameters: SQLValue...) -> String? {
        do {
            _ = try context.selectValue(sql: "SELECT \(expression)", parameters: parameters)
            return nil
        } catch {
            return (error as? SQLError)?.message ?? "\(error)"
        }
    }

    /// A value as JSON, texts in single quotes, data as `data(2)`. A collection must be a document
    /// without shared keys.
    static func text(_ value: SQLValue) -> String {
        switch value {
        case .null: return "MISSING"
        case .long(let number): return "\(number)"
        case .real(let number): return "\(number)"
        case .text(let text): return "'\(text)'"
        case .blob(let data) where data.isEmpty: return "null"
        case .blob(let data):
            guard let root = try? FleeceDocument(trusted: [UInt8](data)).root else {
                return "bytes(\(data.count))"
            }
            if let bytes = root.data { return "data(\(bytes.count))" }
            return (try? root.json()) ?? "?"
        }
    }
}
