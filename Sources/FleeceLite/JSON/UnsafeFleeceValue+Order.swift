extension UnsafeFleeceValue {
    /// Negative, zero or positive as this value comes before, equals or comes after another, in the
    /// order of `FleeceValue`.
    package func order(_ other: UnsafeFleeceValue) -> Int {
        // A document may use a part of it many times.
        if raw.base + raw.offset == other.raw.base + other.raw.offset { return 0 }
        var comparison = ValueComparison(.init(self), .init(other))
        return comparison.compare(raw, other.raw)
    }

    /// The order of two texts or two runs of bytes: by their bytes, then the shorter first.
    package static func order(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> Int {
        FleeceLite.compare(left, right)
    }

    /// The order of two numbers, which may be of different types.
    package static func order(_ left: UnsafeFleeceContent, _ right: UnsafeFleeceContent) -> Int {
        guard let left = left.number, let right = right.number else { return 0 }
        return left.compared(to: right)
    }

    /// Appends the value as compact JSON, at most `maximumBytes` of it.
    ///
    /// Throws as `JSONWriter.write(_:)` does.
    package func appendJSON(to text: inout JSONText, maximumBytes: Int) throws {
        var walk = JSONWalk(options: JSONWriter.Options(maximumBytes: maximumBytes))
        try document._withUnsafeGuaranteedRef { try walk.write(raw, keys: $0.sharedKeys) }
        text.utf8.append(contentsOf: walk.text.contents)
    }
}

extension UnsafeFleeceContent {
    fileprivate var number: FleeceNumber? {
        switch self {
        case .integer(let number): FleeceNumber(number)
        case .unsigned(let number): FleeceNumber(number)
        case .double(let number): FleeceNumber(number)
        default: nil
        }
    }
}
