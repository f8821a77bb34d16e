#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The logarithm to the base e.
package func naturalLogarithm(_ number: Double) -> Double { log(number) }
