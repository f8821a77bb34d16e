/// The value of a number, regardless of its form: 1, 1 unsigned and 1.0 are one number.
struct FleeceNumber {
    private enum Form {
        case negative(Int64)
        case natural(UInt64)
        /// A number that is not a 64-bit integer.
        case other(Double)
    }

    private let form: Form

    /// Nil if the value is not a number.
    init?(_ value: RawValue) {
        if let integer = value.integer {
            if integer.isUnsigned {
                self.init(UInt64(bitPattern: integer.bits))
            } else {
                self.init(integer.bits)
            }
        } else if let number = value.floatingPoint?.value {
            self.init(number)
        } else {
            return nil
        }
    }

    init(_ number: Int64) {
        form = number < 0 ? .negative(number) : .natural(UInt64(number))
    }

    init(_ number: UInt64) {
        form = .natural(number)
    }

    init(_ number: Double) {
        if let natural = UInt64(exactly: number) {
            form = .natural(natural)
        } else if let negative = Int64(exactly: number) {
            form = .negative(negative)
        } else {
            form = .other(number)
        }
    }

    /// Returns a negative number, zero or a positive number if `self` is less than, equal to or
    /// greater than `other`; NaN equals itself and is less than all other numbers.
    func compared(to other: FleeceNumber) -> Int {
        switch (form, other.form) {
        case (.negative(let left), .negative(let right)): Self.order(left, right)
        case (.natural(let left), .natural(let right)): Self.order(left, right)
        case (.negative, .natural): -1
        case (.natural, .negative): 1
        case (.other(let left), .other(let right)): Self.order(left, right)
        case (.other(let left), .negative(let right)): Self.order(left, whole: Double(right))
        case (.other(let left), .natural(let right)): Self.order(left, whole: Double(right))
        case (.negative(let left), .other(let right)): -Self.order(right, whole: Double(left))
        case (.natural(let left), .other(let right)): -Self.order(right, whole: Double(left))
        }
    }

    private static func order<T: Comparable>(_ left: T, _ right: T) -> Int {
        if left < right { return -1 }
        if left > right { return 1 }
        // Only NaN is neither; it sorts before all numbers.
        return (left == left ? 1 : 0) - (right == right ? 1 : 0)
    }

    /// Compares a fraction with an integer that was rounded to a double: where both are near,
    /// doubles are so dense that the rounding was exact.
    private static func order(_ left: Double, whole right: Double) -> Int {
        left.isNaN || left < right ? -1 : 1
    }

    func hash(into hasher: inout Hasher) {
        switch form {
        case .negative(let number): hasher.combine(number)
        case .natural(let number): hasher.combine(number)
        case .other(let number):
            hasher.combine(number.isNaN ? Double.nan.bitPattern : number.bitPattern)
        }
    }
}
