internal import FleeceLite
internal import SQLCore

/// `array_of(…)` and `dict_of(key, value, …)`, which omit missing values.
enum ConstructionFunctions {
    private static let flags: SQLFunctionFlags = [.deterministic, .innocuous, .subtype]

    static func register(in context: SQLContext, _ functions: FunctionContext) throws {
        try context.registerRawFunction("array_of", flags: flags, state: functions) {
            SQLRawCall($0, $1, $2).giveArray()
        }
        try context.registerRawFunction("dict_of", flags: flags, state: functions) {
            SQLRawCall($0, $1, $2).giveDictionary()
        }
    }
}

extension SQLRawCall {
    fileprivate func giveArray() {
        withState(FunctionContext.self) { functions in
            give(functions) {
                functions.encoder.beginArray()
                for index in 0..<count {
                    let item = value(at: index, functions)
                    if case .missing = item { continue }
                    try functions.encoder.write(item)
                }
                try functions.encoder.endArray()
            }
        }
    }

    fileprivate func giveDictionary() {
        guard count % 2 == 0 else { return setError("dict_of() needs pairs of a key and a value") }
        for index in stride(from: 0, to: count, by: 2) where !isKey(at: index) {
            return setError("a key of dict_of() is missing or null")
        }
        withState(FunctionContext.self) { functions in
            give(functions) {
                functions.encoder.beginDictionary()
                for index in stride(from: 0, to: count, by: 2) {
                    let item = value(at: index + 1, functions)
                    if case .missing = item { continue }
                    try functions.encoder.writeKeyText(text(at: index))
                    try functions.encoder.write(item)
                }
                try functions.encoder.endDictionary()
            }
        }
    }

    /// Whether the argument can be a key; a number is converted to a string.
    private func isKey(at index: Int) -> Bool {
        switch type(at: index) {
        case .null: false
        case .blob: !blob(at: index).isEmpty
        default: true
        }
    }

    /// Sets the result to what `write` writes; `NULL` if a part of it cannot be read.
    private func give(_ functions: FunctionContext, _ write: () throws -> Void) {
        do {
            try write()
            try functions.encoder.withFinishedBytes { setFleece($0) }
        } catch {
            functions.encoder.reset()
            setNull()
        }
    }
}
