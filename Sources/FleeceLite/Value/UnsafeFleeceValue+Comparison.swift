extension UnsafeFleeceValue {
    /// Whether both mean the same, as `FleeceValue`'s `==` says.
    package func isEqual(to other: UnsafeFleeceValue) -> Bool {
        var comparison = ValueComparison(.init(self), .init(other))
        return comparison.compare(raw, other.raw) == 0
    }

    /// Whether it is this number, however it is stored.
    package func isEqual(to number: Double) -> Bool {
        FleeceNumber(raw)?.compared(to: FleeceNumber(number)) == 0
    }

    /// Whether it is this number, however it is stored.
    package func isEqual(to number: Int64) -> Bool {
        FleeceNumber(raw)?.compared(to: FleeceNumber(number)) == 0
    }

    /// Whether it is this number, however it is stored.
    package func isEqual(to number: UInt64) -> Bool {
        FleeceNumber(raw)?.compared(to: FleeceNumber(number)) == 0
    }

    /// Whether it is a string of these bytes.
    package func isText(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let own = raw.string, own.count == text.count else { return false }
        return compare(own, text) == 0
    }
}
