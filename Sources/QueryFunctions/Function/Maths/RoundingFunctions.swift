internal import StoreFormat
internal import StorePlatform

/// Rounding to a whole number, or to so many decimals; fewer than none are tens, hundreds, ….
enum RoundingFunctions {
    static var table: [NamedFunction] {
        [
            // Halves away from zero.
            NamedFunction("round", 1, 2) {
                RoundingFunctions.round($0, $1, $2, .toNearestOrAwayFromZero)
            },
            NamedFunction("round_even", 1, 2) {
                RoundingFunctions.round($0, $1, $2, .toNearestOrEven)
            },
            NamedFunction("trunc", 1, 2) { RoundingFunctions.round($0, $1, $2, .towardZero) },
        ]
    }

    @inline(__always)
    private static func round(
        _ context: OpaquePointer?, _ count: Int32,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ rule: FloatingPointRoundingRule
    ) {
        FunctionCall.run(context, count, arguments) { call in
            guard let number = call[0].number else { return call.setAbsent() }
            guard call.count == 2 else { return call.set(number.rounded(rule)) }
            guard let digits = call[1].number, !digits.isNaN else { return call.setAbsent() }
            call.set(rounded(number, decimals: Int(min(max(digits, -400), 400)), rule))
        }
    }

    static func rounded(
        _ number: Double, decimals: Int, _ rule: FloatingPointRoundingRule
    ) -> Double {
        let scale = SystemMaths.power(10, Double(abs(decimals)))
        if decimals >= 0 {
            let scaled = number * scale
            // So large a number has no such decimals.
            return scaled.isFinite ? scaled.rounded(rule) / scale : number
        }
        guard scale.isFinite, number.isFinite else { return number.isFinite ? 0 : number }
        return (number / scale).rounded(rule) * scale
    }
}
