/// Functions of numbers that may be infinite. SQLite has no NaN: functions return null in its
/// place.
enum NumberConditions {
    static var table: [NamedFunction] {
        [
            NamedFunction("ifinf") {
                FunctionCall.run($0, $1, $2) { try NumberConditions.first($0, "ifinf") }
            },
            NamedFunction("ifnan") {
                FunctionCall.run($0, $1, $2) {
                    try NumberConditions.first($0, "ifnan", orInfinite: true)
                }
            },
            NamedFunction("ifnanorinf") {
                FunctionCall.run($0, $1, $2) { try NumberConditions.first($0, "ifnanorinf") }
            },
            NamedFunction("nanif") { NumberConditions.replace($0, $1, $2, with: .nan) },
            NamedFunction("posinfif") { NumberConditions.replace($0, $1, $2, with: .infinity) },
            NamedFunction("neginfif") { NumberConditions.replace($0, $1, $2, with: -.infinity) },
        ]
    }

    /// The first suitable number; missing arguments are skipped, any other value ends the search
    /// with null.
    private static func first(
        _ call: FunctionCall, _ name: StaticString, orInfinite: Bool = false
    ) throws {
        try call.requireCount(2, of: name)
        for index in 0..<call.count {
            let value = call[index]
            if case .missing = value { continue }
            guard let number = value.double else { return call.setNull() }
            if orInfinite ? !number.isNaN : number.isFinite { return call.set(value) }
        }
        call.setNull()
    }

    /// Another number if both arguments are equal, else the first.
    @inline(__always)
    private static func replace(
        _ context: OpaquePointer?, _ count: Int32,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?, with other: Double
    ) {
        FunctionCall.run(context, count, arguments) { call in
            let (first, second) = (call[0], call[1])
            guard first.isValued, second.isValued else { return call.setAbsent() }
            FunctionValue.equal(first, second) ? call.set(other) : call.set(first)
        }
    }
}
