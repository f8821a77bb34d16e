/// Functions of values that may be missing or null.
enum UnknownFunctions {
    static var table: [NamedFunction] {
        [
            // SQL++'s `ifnull`: the first value that is not null, which may be missing.
            NamedFunction("ifnull") {
                FunctionCall.run($0, $1, $2) { call in
                    UnknownFunctions.first(of: call) { if case .null = $0 { false } else { true } }
                }
            },
            NamedFunction("ifmissingornull") {
                FunctionCall.run($0, $1, $2) { call in
                    UnknownFunctions.first(of: call) { $0.isValued }
                }
            },
            NamedFunction("missingif") {
                FunctionCall.run($0, $1, $2, UnknownFunctions.missingIf)
            },
            NamedFunction("nullif") {
                FunctionCall.run($0, $1, $2, UnknownFunctions.nullIf)
            },
        ]
    }

    @inline(__always)
    private static func first(of call: FunctionCall, where isWanted: (FunctionValue) -> Bool) {
        for index in 0..<call.count {
            let value = call[index]
            if isWanted(value) { return call.set(value) }
        }
        call.setNull()
    }

    /// Missing if both are equal, else the first.
    private static func missingIf(_ call: FunctionCall) {
        let (value, other) = (call[0], call[1])
        FunctionValue.equal(value, other) ? call.setMissing() : unless(value, other, call)
    }

    /// Null if both are equal, else the first.
    private static func nullIf(_ call: FunctionCall) {
        let (value, other) = (call[0], call[1])
        if case .missing = value { return call.setMissing() }
        FunctionValue.equal(value, other) ? call.setNull() : unless(value, other, call)
    }

    /// The first value, if it is comparable with the other one.
    private static func unless(
        _ value: FunctionValue, _ other: FunctionValue, _ call: FunctionCall
    ) {
        if case .missing = other { return call.setMissing() }
        call.set(other.isValued ? value : .null)
    }
}
