internal import FleeceLite
internal import SQLCore

/// `fl_contains(body, path, value)`: whether an array, or a dictionary among its values, has one
/// that equals a value as JSON: a truth is no number, null equals null, 1 equals 1.0.
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
                let sought = value(at: 2, functions)
                guard let collection, let items = UnsafeFleeceItems(collection) else {
                    return setNull()
                }
                // Whether it holds what is missing is not known.
                if case .missing = sought { return setNull() }
                let found =
                    items.isHeir
                    ? functions.withFlat(collection) { sought.isIn($0) } : sought.isIn(items)
                found.map { setBoolean($0) } ?? setNull()
            }
        }
    }
}

extension FunctionValue {
    /// Whether one of the values equals this one.
    func isIn(_ items: UnsafeFleeceItems) -> Bool {
        switch self {
        case .text(let text): items.has { $0.isText(text) }
        case .integer(let number): items.has { $0.isEqual(to: number) }
        case .real(let number): items.has { $0.isEqual(to: number) }
        case .unsigned(let number): items.has { $0.isEqual(to: number) }
        case .boolean(let truth): items.has { $0.bool == truth }
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
