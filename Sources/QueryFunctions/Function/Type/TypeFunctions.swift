internal import FleeceLite
internal import SQLCore

/// Conversions of values to another type. Missing stays missing, and null stays null.
enum TypeConversions {
    static var table: [NamedFunction] {
        [
            NamedFunction("toarray") {
                TypeConversions.convert($0, $1, $2, TypeConversions.toArray)
            },
            NamedFunction("toatom") {
                TypeConversions.convert($0, $1, $2, TypeConversions.toAtom)
            },
            NamedFunction("toboolean") {
                TypeConversions.convert($0, $1, $2, TypeConversions.toBoolean)
            },
            NamedFunction("tonumber") {
                TypeConversions.convert($0, $1, $2, TypeConversions.toNumber)
            },
            NamedFunction("toobject") {
                TypeConversions.convert($0, $1, $2, TypeConversions.toObject)
            },
            NamedFunction("tostring") {
                TypeConversions.convert($0, $1, $2, TypeConversions.toText)
            },
        ]
    }

    @inline(__always)
    private static func convert(
        _ context: OpaquePointer?, _ count: Int32,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
        _ body: (FunctionCall, FunctionValue) throws -> Void
    ) {
        FunctionCall.run(context, count, arguments) { call in
            let value = call[0]
            value.isValued ? try body(call, value) : call.set(value)
        }
    }

    private static func toArray(_ call: FunctionCall, _ value: FunctionValue) throws {
        value.array == nil ? try call.set([value]) : call.set(value)
    }

    /// The single value in a collection, however deeply nested; null for other collections.
    private static func toAtom(_ call: FunctionCall, _ value: FunctionValue) {
        var value = value
        for _ in 0..<FleeceLimits.walkDepth {
            guard case .collection(let collection) = value else { return call.set(value) }
            guard let only = only(in: collection) else { return call.setNull() }
            value = only
        }
        call.setNull()
    }

    private static func only(in collection: UnsafeFleeceValue) -> FunctionValue? {
        if collection.kind == .array {
            return collection.elementCount == 1 ? collection[0]?.asElement : nil
        }
        let properties = collection.dictionary?.properties ?? []
        return properties.count == 1 ? properties[0].value : nil
    }

    /// Zero and empty values are false.
    private static func toBoolean(_ call: FunctionCall, _ value: FunctionValue) {
        switch value {
        case .boolean(let bool): call.set(bool)
        case .text(let text): call.set(!text.isEmpty)
        case .data(let bytes): call.set(!bytes.isEmpty)
        case .collection(let collection):
            let isEmpty = collection.dictionary.map { $0.properties.isEmpty }
            call.set(!(isEmpty ?? (collection.elementCount == 0)))
        default:
            let number = value.double ?? 0
            call.set(number != 0 && !number.isNaN)
        }
    }

    /// A string is converted to the number at its start, or to 0, as in LiteCore.
    private static func toNumber(_ call: FunctionCall, _ value: FunctionValue) {
        switch value {
        case .boolean(let bool): call.set(bool ? 1 : 0)
        case .integer, .unsigned, .real: call.set(value)
        case .text(let text): call.set(NumberText.number(at: text))
        default: call.setNull()
        }
    }

    private static func toObject(_ call: FunctionCall, _ value: FunctionValue) throws {
        value.object == nil ? try call.setObject { _ in } : call.set(value)
    }

    /// Numbers are written as SQLite does; collections and data have no string form.
    private static func toText(_ call: FunctionCall, _ value: FunctionValue) {
        switch value {
        case .boolean(let bool): call.set(bool ? "true" : "false")
        case .text: call.set(value)
        case .unsigned(let number): call.set(String(number))
        case .integer, .real: call.raw.setText(call.raw.text(at: 0))
        default: call.setNull()
        }
    }
}

/// Type tests. Null has no type, so these return null for it, and missing for a missing value; only
/// `isvalued` returns false for both.
enum TypeFunctions {
    static var table: [NamedFunction] {
        [
            NamedFunction("isarray") { TypeFunctions.test($0, $1, $2) { $0.array != nil } },
            NamedFunction("isatom") {
                TypeFunctions.test($0, $1, $2) {
                    switch $0 {
                    case .boolean, .integer, .unsigned, .real, .text: true
                    default: false
                    }
                }
            },
            NamedFunction("isboolean") {
                TypeFunctions.test($0, $1, $2) { if case .boolean = $0 { true } else { false } }
            },
            NamedFunction("isnumber") { TypeFunctions.test($0, $1, $2) { $0.double != nil } },
            NamedFunction("isobject") { TypeFunctions.test($0, $1, $2) { $0.object != nil } },
            NamedFunction("isstring") { TypeFunctions.test($0, $1, $2) { $0.text != nil } },
            NamedFunction("isvalued") {
                FunctionCall.run($0, $1, $2) { $0.set($0[0].isValued) }
            },
            NamedFunction("type") { FunctionCall.run($0, $1, $2, TypeFunctions.type) },
        ]
    }

    @inline(__always)
    private static func test(
        _ context: OpaquePointer?, _ count: Int32,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ isSo: (FunctionValue) -> Bool
    ) {
        FunctionCall.run(context, count, arguments) { call in
            let value = call[0]
            value.isValued ? call.set(isSo(value)) : call.set(value)
        }
    }

    private static func type(_ call: FunctionCall) {
        let value = call[0]
        switch value {
        case .missing, .null: call.set(value)
        case .boolean: call.set("boolean")
        case .integer, .unsigned, .real: call.set("number")
        case .text: call.set("string")
        case .data: call.set("binary")
        case .collection(let value): call.set(value.kind == .array ? "array" : "object")
        }
    }
}
