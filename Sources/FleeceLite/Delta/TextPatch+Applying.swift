extension TextPatch {
    /// The text that a patch makes of another.
    ///
    /// Throws `.invalidData` unless the patch is well-formed, uses up the old text exactly and
    /// leaves UTF-8.
    static func apply(
        _ patch: UnsafeRawBufferPointer, to old: UnsafeRawBufferPointer
    ) throws -> [UInt8] {
        var new: [UInt8] = []
        var position = 0
        var used = 0
        while position < patch.count {
            let count = try readCount(patch, &position)
            let letter = position < patch.count ? patch[position] : 0
            let left = letter == UInt8(ascii: "+") ? patch.count - position - 1 : old.count - used
            position += 1
            guard count <= left else { throw error("counts more than there is") }
            switch letter {
            case UInt8(ascii: "="):
                new += old[used..<(used + count)]
                used += count
            case UInt8(ascii: "-"):
                used += count
            case UInt8(ascii: "+"):
                new += patch[position..<(position + count)]
                position += count
                guard position < patch.count, patch[position] == UInt8(ascii: "|") else {
                    throw error("lacks a '|' behind what it inserts")
                }
                position += 1
            default: throw error("has something else than =, - or + behind a count")
            }
        }
        guard used == old.count else { throw error("does not use up the old string") }
        guard new.withUnsafeBytes({ UTF8Validation.firstInvalid(in: $0) }) == nil else {
            throw error("cuts a character in two")
        }
        return new
    }

    private static func readCount(
        _ patch: UnsafeRawBufferPointer, _ position: inout Int
    ) throws -> Int {
        let start = position
        var count = 0
        while position < patch.count, case let digit = patch[position] &- UInt8(ascii: "0"),
            digit < 10
        {
            // No string is as long as that; what comes after does not count any more.
            count = min(count, 1 << 40) * 10 + Int(digit)
            position += 1
        }
        guard position > start else { throw error("lacks a count") }
        return count
    }

    private static func error(_ message: String) -> FleeceError {
        FleeceError(.invalidData, "the patch of a string \(message)")
    }
}
