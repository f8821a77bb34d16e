internal import FleeceLite

/// What a value is. Null is of no type, so these give null for it, and missing for what is missing;
/// only `isvalued` says false of both.
enum TypeFunctions {
    static var table: [NamedFunction] {
        [
            NamedFunction("isarray", 1) { TypeFunctions.test($0, $1, $2) { $0.array != nil } },
            NamedFunction("isatom", 1) {
                TypeFunctions.test($0, $1, $2) {
                    switch $0 {
                    case .boolean, .integer, .unsigned, .real, .text: true
                    default: false
                    }
                }
            },
            NamedFunction("isboolean", 1) {
                TypeFunctions.test($0, $1, $2) { if case .boolean = $0 { true } else { false } }
            },
            NamedFunction("isnumber", 1) { TypeFunctions.test($0, $1, $2) { $0.double != nil } },
            NamedFunction("isobject", 1) { TypeFunctions.test($0, $1, $2) { $0.object != nil } },
            NamedFunction("isstring", 1) { TypeFunctions.test($0, $1, $2) { $0.text != nil } },
            NamedFunction("isvalued", 1) {
                FunctionCall.run($0, $1, $2) { $0.set($0[0].isValued) }
            },
            NamedFunction("type", 1) { FunctionCall.run($0, $1, $2, TypeFunctions.type) },
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
