/// Code points that are taken away from the ends of a text.
struct TrimSet {
    /// Nil for white space.
    private let scalars: Set<Unicode.Scalar>?

    /// White space as Unicode has it, but for the figure space, which is a digit's place.
    static var whiteSpace: TrimSet { TrimSet(scalars: nil) }

    private init(scalars: Set<Unicode.Scalar>?) {
        self.scalars = scalars
    }

    /// The code points of a text.
    init(_ text: UnsafeRawBufferPointer) {
        scalars = Set(String(decoding: text, as: UTF8.self).unicodeScalars)
    }

    /// The text without them.
    func trimmed(
        _ text: UnsafeRawBufferPointer, atStart: Bool, atEnd: Bool
    ) -> UnsafeRawBufferPointer {
        var (start, end) = (0, text.count)
        while atStart, start < end {
            let next = min(CodePoints.next(in: text, after: start), end)
            guard contains(text, start..<next) else { break }
            start = next
        }
        while atEnd, start < end {
            var previous = end - 1
            while previous > start, !CodePoints.begins(text[previous]) { previous -= 1 }
            guard contains(text, previous..<end) else { break }
            end = previous
        }
        return UnsafeRawBufferPointer(rebasing: text[start..<end])
    }

    private func contains(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
        let first = text[range.lowerBound]
        if scalars == nil, first < 0x80 {
            return range.count == 1 && (first == 0x20 || first >= 0x09 && first <= 0x0D)
        }
        let bytes = UnsafeRawBufferPointer(rebasing: text[range])
        guard bytes.count <= 4 else { return false }
        let decoded = String(decoding: bytes, as: UTF8.self).unicodeScalars
        guard let scalar = decoded.first, decoded.count == 1 else { return false }
        if let scalars { return scalars.contains(scalar) }
        return scalar.properties.isWhitespace && scalar.value != 0x2007
    }
}
