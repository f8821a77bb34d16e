extension JSONBuffer {
    @inline(__always)
    mutating func append(_ number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        append(number.magnitude)
    }

    @inline(__always)
    mutating func append(_ number: UInt64) {
        if number < 10 { return append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number)) }
        appendDigits(number)
    }

    @inline(never)
    private mutating func appendDigits(_ number: UInt64) {
        let count = Self.digitCount(number)
        bytes.reserve(24)
        Self.write(number, endingAt: bytes.end + count)
        bytes.extend(count)
    }

    private static func digitCount(_ number: UInt64) -> Int {
        var count = 1
        var power: UInt64 = 10
        while number >= power {
            count += 1
            let (next, overflow) = power.multipliedReportingOverflow(by: 10)
            if overflow { break }
            power = next
        }
        return count
    }

    @inline(__always)
    private static func write(_ number: UInt64, endingAt end: UnsafeMutableRawPointer) {
        var rest = number
        var location = end
        repeat {
            location -= 1
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            location.storeBytes(
                of: UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit), as: UInt8.self)
            rest = quotient
        } while rest > 0
    }

    /// Appends the shortest decimal number that parses as this finite double.
    mutating func append(_ number: Double) {
        if !appendShort(number) { append(verbatim: number.description) }
    }

    /// Appends a number with few decimals, as most have: if it is the nearest double to a decimal
    /// of at most 15 digits, no shorter decimal has it, and only one of that length does.
    @inline(__always)
    private mutating func appendShort(_ number: Double) -> Bool {
        let magnitude = number.magnitude
        guard magnitude >= 1e-3, magnitude < 1e8 else { return false }
        let scaled = (magnitude * Self.scale).rounded()
        guard scaled / Self.scale == magnitude else { return false }
        let (integer, decimals) = UInt64(scaled).quotientAndRemainder(dividingBy: 10_000_000)
        if number.sign == .minus { append(UInt8(ascii: "-")) }
        append(integer)
        appendDecimals(decimals)
        return true
    }

    private static var scale: Double { 1e7 }

    /// Appends a point and seven digits, without trailing zeros but with at least one digit.
    private mutating func appendDecimals(_ decimals: UInt64) {
        bytes.reserve(16)
        let end = bytes.end
        end.storeBytes(of: UInt8(ascii: "."), as: UInt8.self)
        var rest = decimals
        for location in stride(from: 7, to: 0, by: -1) {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            end.storeBytes(
                of: UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit), toByteOffset: location,
                as: UInt8.self)
            rest = quotient
        }
        var count = 7
        while count > 1, end.load(fromByteOffset: count, as: UInt8.self) == UInt8(ascii: "0") {
            count -= 1
        }
        bytes.extend(1 + count)
    }
}
