import DocumentStore
import SQLCore
@testable import QueryFunctions

/// A recorded result of LiteCore: an SQL statement, and its rows.
struct FunctionResult {
    let sql: String
    let parameters: FleeceValue?
    /// The rows; nil if LiteCore failed.
    let rows: FleeceValue?

    /// The results in a file of JSON lines whose SQL calls one of these functions.
    static func all(in text: String, calling names: Set<String>) throws -> [FunctionResult] {
        try text.split(separator: "\n").compactMap { line in
            let result = try FleeceDocument(json: String(line)).root
            guard let sql = result["sql"]?.string, !calls(in: sql).isDisjoint(with: names) else {
                return nil
            }
            return FunctionResult(
                sql: sql, parameters: result["parameters"], rows: result["rows"])
        }
    }

    /// The lowercased names in front of opening parentheses.
    static func calls(in sql: String) -> Set<String> {
        var names: Set<String> = []
        var name = ""
        for character in sql {
            if character == "(", !name.isEmpty { names.insert(name.lowercased()) }
            let isPart = character.isLetter || character.isNumber || character == "_"
            name = isPart ? name + String(character) : ""
        }
        return names
    }
}

/// Computes results in the format of the golden ones: JSON, with a marker for MISSING.
struct FunctionRows {
    let context: SQLContext
    let functions: FunctionContext

    init(_ context: SQLContext) throws {
        self.context = context
        let state = try context.selectAll(
            sql: "SELECT body FROM kv_info WHERE key = 'SharedKeys'"
        ).first?.first
        var keys = SharedKeys()
        if case .blob(let bytes)? = state { keys = try SharedKeys(state: [UInt8](bytes)) }
        functions = try FunctionContext(sharedKeys: keys)
        try AccessorFunctions.register(in: context, functions)
        try QueryFunctions.register(in: context, functions)
    }

    /// The rows of a statement, as an array of arrays.
    func rows(_ result: FunctionResult) throws -> FleeceValue {
        let statement = try context.prepare(sql: result.sql)
        defer { statement.close() }
        if let parameters = result.parameters?.dictionary {
            for (key, value) in parameters {
                try statement.bind(.long(value.int ?? 0), named: "$_\(key)")
            }
        }
        var encoder = FleeceEncoder()
        encoder.beginArray()
        while try statement.next() {
            encoder.beginArray()
            for value in statement.rowValues() { try write(value, to: &encoder) }
            try encoder.endArray()
        }
        try encoder.endArray()
        return try FleeceDocument(validating: encoder.finish()).root
    }

    private func write(_ value: SQLValue, to encoder: inout FleeceEncoder) throws {
        switch value {
        case .null:
            encoder.beginDictionary()
            try encoder.writeKey("@")
            encoder.writeString("MISSING")
            try encoder.endDictionary()
        case .long(let number): encoder.writeInt(number)
        // JSON has no infinity.
        case .real(let number):
            number.isFinite ? try encoder.writeDouble(number) : encoder.writeNull()
        case .text(let text): encoder.writeString(text)
        case .blob(let bytes):
            if bytes.isEmpty { return encoder.writeNull() }
            let keys = functions.document.sharedKeys
            try encoder.write(FleeceDocument(validating: [UInt8](bytes), sharedKeys: keys).root)
        }
    }
}
