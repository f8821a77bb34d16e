internal import SQLCore
internal import StoreFormat
internal import StorePlatform

/// Functions of numbers, with Booleans as 1 and 0. A missing argument gives missing; any other
/// value that is not a number gives null, as does an undefined result, such as `sqrt(-1)`.
enum MathsFunctions {
    static var table: [NamedFunction] { unary + others }

    private static var unary: [NamedFunction] {
        [
            NamedFunction("abs") { MathsFunctions.map($0, $1, $2) { $0.magnitude } },
            NamedFunction("acos") {
                MathsFunctions.map($0, $1, $2) { SystemMaths.arcCosine($0) }
            },
            NamedFunction("asin") { MathsFunctions.map($0, $1, $2) { SystemMaths.arcSine($0) } },
            NamedFunction("atan") {
                MathsFunctions.map($0, $1, $2) { SystemMaths.arcTangent($0) }
            },
            NamedFunction("ceil") { MathsFunctions.map($0, $1, $2) { $0.rounded(.up) } },
            NamedFunction("cos") { MathsFunctions.map($0, $1, $2) { SystemMaths.cosine($0) } },
            NamedFunction("degrees") { MathsFunctions.map($0, $1, $2) { $0 * 180 / .pi } },
            NamedFunction("exp") {
                MathsFunctions.map($0, $1, $2) { SystemMaths.exponential($0) }
            },
            NamedFunction("floor") { MathsFunctions.map($0, $1, $2) { $0.rounded(.down) } },
            NamedFunction("ln") { MathsFunctions.map($0, $1, $2) { SystemMaths.logarithm($0) } },
            // The logarithm to base 10, as in N1QL.
            NamedFunction("log") {
                MathsFunctions.map($0, $1, $2) { SystemMaths.logarithm10($0) }
            },
            NamedFunction("radians") { MathsFunctions.map($0, $1, $2) { $0 * .pi / 180 } },
            NamedFunction("sin") { MathsFunctions.map($0, $1, $2) { SystemMaths.sine($0) } },
            NamedFunction("sqrt") { MathsFunctions.map($0, $1, $2) { $0.squareRoot() } },
            NamedFunction("tan") { MathsFunctions.map($0, $1, $2) { SystemMaths.tangent($0) } },
        ]
    }

    private static var others: [NamedFunction] {
        [
            NamedFunction("e") { FunctionCall.run($0, $1, $2) { $0.set(2.718281828459045) } },
            NamedFunction("pi") { FunctionCall.run($0, $1, $2) { $0.set(Double.pi) } },
            NamedFunction("sign") { FunctionCall.run($0, $1, $2, MathsFunctions.sign) },
            NamedFunction("atan2") {
                MathsFunctions.pair($0, $1, $2) { $0.set(SystemMaths.arcTangent($1, $2)) }
            },
            NamedFunction("power") {
                MathsFunctions.pair($0, $1, $2) { $0.set(SystemMaths.power($1, $2)) }
            },
            NamedFunction("div") {
                MathsFunctions.pair($0, $1, $2) { $2 == 0 ? $0.setNull() : $0.set($1 / $2) }
            },
            NamedFunction("idiv") { FunctionCall.run($0, $1, $2, MathsFunctions.divideWhole) },
            NamedFunction("random") {
                FunctionCall.run($0, $1, $2, MathsFunctions.random)
            },
        ]
    }

    @inline(__always)
    private static func map(
        _ context: OpaquePointer?, _ count: Int32,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ body: (Double) -> Double
    ) {
        FunctionCall.run(context, count, arguments) { call in
            guard let number = call[0].number else { return call.setAbsent() }
            call.set(body(number))
        }
    }

    @inline(__always)
    private static func pair(
        _ context: OpaquePointer?, _ count: Int32,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
        _ body: (FunctionCall, Double, Double) -> Void
    ) {
        FunctionCall.run(context, count, arguments) { call in
            guard let first = call[0].number, let second = call[1].number else {
                return call.setAbsent()
            }
            body(call, first, second)
        }
    }

    private static func sign(_ call: FunctionCall) {
        guard let number = call[0].number else { return call.setAbsent() }
        call.set(number > 0 ? 1 : (number < 0 ? -1 : 0))
    }

    /// The integer quotient of two truncated numbers, as in LiteCore; null if the truncated divisor
    /// is 0.
    private static func divideWhole(_ call: FunctionCall) {
        guard let left = call[0].wholeNumber, let right = call[1].wholeNumber else {
            return call.setAbsent()
        }
        guard right != 0 else { return call.setNull() }
        let (quotient, isTooLarge) = left.dividedReportingOverflow(by: right)
        // Only for the least integer divided by -1.
        isTooLarge ? call.set(Double(left) / Double(right)) : call.raw.setResult(quotient)
    }

    /// A random number from 0 up to, but not including, 1; with a seed the result is deterministic.
    private static func random(_ call: FunctionCall) {
        guard call.count == 1 else { return call.set(Double.random(in: 0..<1)) }
        guard let seed = call[0].number else { return call.setAbsent() }
        // SplitMix64, a public-domain generator.
        var bits = seed.bitPattern &+ 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 31
        call.set(Double(bits >> 11) / Double(1 << 53))
    }
}

/// Rounding to an integer, or to a number of decimals; a negative number rounds to tens, hundreds,
/// ….
enum RoundingFunctions {
    static var table: [NamedFunction] {
        [
            // Rounds half away from zero.
            NamedFunction("round") {
                RoundingFunctions.round($0, $1, $2, .toNearestOrAwayFromZero)
            },
            NamedFunction("round_even") {
                RoundingFunctions.round($0, $1, $2, .toNearestOrEven)
            },
            NamedFunction("trunc") { RoundingFunctions.round($0, $1, $2, .towardZero) },
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
            // A number this large has no such decimals.
            return scaled.isFinite ? scaled.rounded(rule) / scale : number
        }
        guard scale.isFinite, number.isFinite else { return number.isFinite ? 0 : number }
        return (number / scale).rounded(rule) * scale
    }
}
