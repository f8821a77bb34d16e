#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The functions of numbers that the system's library has.
enum SystemMaths {
    static func cosine(_ x: Double) -> Double { cos(x) }
    static func sine(_ x: Double) -> Double { sin(x) }
    static func tangent(_ x: Double) -> Double { tan(x) }
    static func arcCosine(_ x: Double) -> Double { acos(x) }
    static func arcSine(_ x: Double) -> Double { asin(x) }
    static func arcTangent(_ x: Double) -> Double { atan(x) }
    static func arcTangent(_ y: Double, _ x: Double) -> Double { atan2(y, x) }
    static func exponential(_ x: Double) -> Double { exp(x) }
    static func logarithm(_ x: Double) -> Double { log(x) }
    static func logarithm10(_ x: Double) -> Double { log10(x) }
    static func power(_ x: Double, _ y: Double) -> Double { pow(x, y) }
}
