internal import FleeceLite
internal import SQLCore

/// `fl_each(data[, path])`: one row for each element of an array or entry of a dictionary, one row
/// for a scalar, no rows for a missing value.
enum EachFunction {
    /// The columns, in LiteCore's order.
    private enum Column {
        static let names = ["key", "value", "type", "data", "body"]
        static let parameters = ["root_data", "root_path"]
    }

    static func register(in context: SQLContext, _ functions: FunctionContext) throws {
        try context.registerRawTableFunction(
            "fl_each", columns: Column.names, parameters: Column.parameters, required: 1,
            state: EachCursor.self, object: functions, trust: .innocuous,
            SQLRawTableFunction(
                filter: { EachFunction.begin($0, SQLRawCall(nil, $3, $4)) },
                next: {
                    SQLRawCursor.state($0, as: EachCursor.self).pointee.index &+= 1
                    return 0
                },
                isAtEnd: {
                    let state = SQLRawCursor.state($0, as: EachCursor.self)
                    return state.pointee.index >= state.pointee.count ? 1 : 0
                },
                column: { EachFunction.give($0, SQLRawCall($1), column: $2) },
                rowID: { cursor, result in
                    result?.pointee = Int64(
                        SQLRawCursor.state(cursor, as: EachCursor.self).pointee.index)
                    return 0
                },
                close: {
                    SQLRawCursor.state($0, as: EachCursor.self).pointee.free()
                    return 0
                }))
    }

    /// Starts a scan of the data in argument 0, at the path in argument 1 if there is one.
    private static func begin(_ cursor: UnsafeMutableRawPointer?, _ call: SQLRawCall) -> Int32 {
        let state = SQLRawCursor.state(cursor, as: EachCursor.self)
        state.pointee.clear()
        do {
            try SQLRawCursor.withObject(cursor, as: FunctionContext.self) { functions in
                let path =
                    call.count > 1
                    ? try functions.paths.path(call.text(at: 1))
                    : .passUnretained(functions.paths.whole)
                call.withRoot(functions) { root in
                    path._withUnsafeGuaranteedRef { path in
                        guard let value = path.value(from: root) else { return }
                        state.pointee.open(value, functions)
                    }
                }
            }
            return 0
        } catch {
            SQLRawCursor.setError(cursor, (error as? FleeceError)?.description ?? "\(error)")
            return SQLResultCode.error.rawValue
        }
    }

    private static func give(
        _ cursor: UnsafeMutableRawPointer?, _ call: SQLRawCall, column: Int32
    ) -> Int32 {
        let state = SQLRawCursor.state(cursor, as: EachCursor.self)
        guard state.pointee.index < state.pointee.count, let value = state.pointee.value else {
            return 0
        }
        SQLRawCursor.withObject(cursor, as: FunctionContext.self) { functions in
            switch column {
            case 0: state.pointee.giveKey(call)
            case 1: call.setValue(value, functions)
            case 2: call.setResult(Int64(value.typeNumber))
            case 3: state.pointee.whole.map { call.setValue($0, functions) }
            case 4: call.setExcerpt(value, functions)
            default: break
            }
        }
        return 0
    }
}

extension SQLRawCall {
    /// Calls `body` with the root of argument 0 of any kind, unless it is missing.
    fileprivate func withRoot(
        _ functions: FunctionContext, _ body: (UnsafeFleeceValue) -> Void
    ) {
        if type(at: 0) == .blob, subtype(at: 0) != FunctionSubtype.data {
            let bytes = blob(at: 0)
            if !bytes.isEmpty {
                guard let root = functions.root(ofBody: bytes) else {
                    return functions.noteUnreadableBody(bytes)
                }
                return body(root)
            }
        }
        let scalar = value(at: 0, functions)
        if case .missing = scalar { return }
        _ = functions.withDocument(of: scalar) { functions.root(of: $0).map(body) }
    }

    /// Sets the result to a value for `fl_nested_value`: for a small array or dictionary, the
    /// document up to its end, which is cheaper than encoding it again.
    ///
    /// SQLite's own mechanism, a pointer value, would become `NULL` after a sort or a grouping, and
    /// would dangle in an aggregate that outlives the row.
    fileprivate func setExcerpt(_ value: UnsafeFleeceValue, _ functions: FunctionContext) {
        guard let (bytes, pointer) = value.beginning(maximum: 1 << 11) else {
            return setValue(value, functions)
        }
        functions.scratch.removeAll()
        functions.scratch.append(bytes)
        functions.scratch.append(pointer.0)
        functions.scratch.append(pointer.1)
        setBlob(functions.scratch.bytes)
        setSubtype(FunctionSubtype.excerpt)
    }
}

extension UnsafeFleeceValue {
    /// The number of its type in Fleece's C interface.
    fileprivate var typeNumber: Int {
        switch kind {
        case .undefined: -1
        case .null: 0
        case .bool: 1
        case .integer, .double: 2
        case .string: 3
        case .data: 4
        case .array: 5
        case .dictionary: 6
        }
    }
}
