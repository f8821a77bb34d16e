internal import FleeceLite
internal import SQLCore
internal import StoreFormat

/// The functions that convert values for result columns, and those that create constants.
enum ResultFunctions {
    private static let readsSubtypes: SQLFunctionFlags = [.deterministic, .innocuous, .subtype]

    static func register(in context: SQLContext, _ functions: FunctionContext) throws {
        try context.registerRawFunction(
            "fl_result", argumentCount: 1, flags: readsSubtypes, state: functions
        ) { SQLRawCall($0, $1, $2).giveResult() }
        try context.registerRawFunction(
            "fl_served", argumentCount: 1, flags: readsSubtypes, state: functions
        ) { SQLRawCall($0, $1, $2).giveServed(isProperty: true) }
        try context.registerRawFunction(
            "fl_served_value", argumentCount: 1, flags: readsSubtypes, state: functions
        ) { SQLRawCall($0, $1, $2).giveServed(isProperty: false) }
        try context.registerRawFunction("fl_boolean_result", argumentCount: 1) {
            SQLRawCall($0, $1, $2).giveBooleanResult()
        }
        try context.registerRawFunction("fl_null", argumentCount: 0) {
            SQLRawCall($0, $1, $2).setJSONNull()
        }
        try context.registerRawFunction("fl_bool", argumentCount: 1) {
            let call = SQLRawCall($0, $1, $2)
            switch call.type(at: 0) {
            case .long: call.setBoolean(call.int64(at: 0) != 0)
            case .real: call.setBoolean(call.double(at: 0) != 0)
            // A null is not a Boolean.
            default: call.setResult(argumentAt: 0)
            }
        }
        try context.registerRawFunction("fl_unsigned", argumentCount: 1) {
            let call = SQLRawCall($0, $1, $2)
            call.isNull(at: 0)
                ? call.setNull() : call.setUnsigned(UInt64(bitPattern: call.int64(at: 0)))
        }
        try context.registerRawFunction("fl_plain", argumentCount: 1, state: functions) {
            SQLRawCall($0, $1, $2).givePlain()
        }
        try context.registerRawFunction("fl_version", argumentCount: 1) {
            SQLRawCall($0, $1, $2).giveVersion()
        }
    }
}

extension SQLRawCall {
    /// `fl_result(v)`: encodes a value as Fleece if its SQLite type does not identify it: Booleans,
    /// large unsigned integers, data.
    fileprivate func giveResult() {
        switch type(at: 0) {
        case .long:
            switch subtype(at: 0) {
            case FunctionSubtype.boolean: setFleece(int64(at: 0) != 0)
            case FunctionSubtype.unsigned where int64(at: 0) < 0: giveDocument()
            default: pass(argumentAt: 0)
            }
        case .blob:
            switch subtype(at: 0) {
            case FunctionSubtype.data, FunctionSubtype.excerpt: giveDocument()
            default: pass(argumentAt: 0)
            }
        default: pass(argumentAt: 0)
        }
    }

    /// `fl_served(v)`: the result of an indexed expression, like `fl_result`, or `NULL` if its type
    /// is unknown: SQLite may have taken it from an index, where an integer below 2 can stand for a
    /// Boolean or for an integer above `Int64.max`, and has no subtype. `fl_served_value` is for
    /// expressions other than properties, which can also return bytes that are not Fleece.
    fileprivate func giveServed(isProperty: Bool) {
        switch type(at: 0) {
        case .long where subtype(at: 0) == 0 && int64(at: 0) < 2: setNull()
        case .blob where !isProperty && subtype(at: 0) == 0: setNull()
        default: giveResult()
        }
    }

    /// `fl_plain(v)`: decodes a value that `fl_result` has encoded.
    fileprivate func givePlain() {
        guard type(at: 0) == .blob else { return pass(argumentAt: 0) }
        let bytes = blob(at: 0)
        if bytes.isEmpty { return setJSONNull() }
        // A document with a scalar root is short; arrays and dictionaries are not changed.
        guard bytes.count <= Self.longestScalar else { return pass(argumentAt: 0) }
        withState(FunctionContext.self) { functions in
            guard let root = functions.root(of: bytes) else { return pass(argumentAt: 0) }
            switch root.content {
            case .array, .dictionary, .data, .undefined: pass(argumentAt: 0)
            default: setValue(root, functions)
            }
        }
    }

    /// A number of 8 bytes with its tag, and a pointer to it.
    private static let longestScalar = 14

    private func giveDocument() {
        withState(FunctionContext.self) { setDocument(of: value(at: 0, $0), $0) }
    }

    /// `fl_boolean_result(v)`: encodes a number as a Fleece Boolean; other values are not changed.
    fileprivate func giveBooleanResult() {
        switch type(at: 0) {
        case .long: setFleece(int64(at: 0) != 0)
        case .real: setFleece(double(at: 0) != 0)
        default: pass(argumentAt: 0)
        }
    }

    /// `fl_version(version)`: a revision ID as a string; `NULL` for invalid bytes.
    fileprivate func giveVersion() {
        guard type(at: 0) == .blob, let id = try? RevisionID(binary: blob(at: 0)) else {
            return setNull()
        }
        var text = id.description
        text.withUTF8 { setText(UnsafeRawBufferPointer($0)) }
    }
}

/// LiteCore's functions that read documents and construct values.
enum AccessorFunctions {
    /// Registers them, including `fl_each`.
    ///
    /// - Throws: `.busy` if they would replace functions while a statement runs.
    static func register(in context: SQLContext, _ functions: FunctionContext) throws {
        try PropertyFunctions.register(in: context, functions)
        try ContainmentFunction.register(in: context, functions)
        try ResultFunctions.register(in: context, functions)
        try ConstructionFunctions.register(in: context, functions)
        try EachFunction.register(in: context, functions)
    }
}

/// `fl_contains(body, path, value)`: whether an array, or the values of a dictionary, contain a
/// value that is equal as JSON: a Boolean is not a number, null equals null, 1 equals 1.0.
enum ContainmentFunction {
    static func register(in context: SQLContext, _ functions: FunctionContext) throws {
        try context.registerRawFunction(
            "fl_contains", argumentCount: 3, flags: [.deterministic, .innocuous, .subtype],
            state: functions
        ) { SQLRawCall($0, $1, $2).giveContainment() }
    }
}

extension SQLRawCall {
    fileprivate func giveContainment() {
        withState(FunctionContext.self) { functions in
            withProperty(functions) { collection in
                let searched = value(at: 2, functions)
                guard let collection, let items = UnsafeFleeceItems(collection) else {
                    return setNull()
                }
                // Whether it contains a missing value is unknown.
                if case .missing = searched { return setNull() }
                let found =
                    items.inheritsFromParent
                    ? functions.withFlat(collection) { searched.isIn($0) } : searched.isIn(items)
                found.map { setBoolean($0) } ?? setNull()
            }
        }
    }
}

extension FunctionValue {
    /// Whether one of the items equals the value.
    func isIn(_ items: UnsafeFleeceItems) -> Bool {
        switch self {
        case .text(let text): items.has { $0.isText(text) }
        case .integer(let number): items.has { $0.isEqual(to: number) }
        case .real(let number): items.has { $0.isEqual(to: number) }
        case .unsigned(let number): items.has { $0.isEqual(to: number) }
        case .boolean(let bool): items.has { $0.bool == bool }
        case .null: items.has { $0.kind == .null }
        case .data(let bytes): items.has { $0.data.map { $0.elementsEqual(bytes) } ?? false }
        case .collection(let value):
            items.has { $0.kind == value.kind && $0.isEqual(to: value) }
        case .missing: false
        }
    }
}

extension UnsafeFleeceItems {
    @inline(__always)
    fileprivate func has(_ isSought: (UnsafeFleeceValue) -> Bool) -> Bool {
        for index in 0..<count where isSought(value(at: index)) { return true }
        return false
    }
}
