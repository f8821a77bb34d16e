/// The change of a string as text: counts of bytes to keep (`4=`), delete
/// (`3-`) and insert (`2+ab|`).
struct TextPatch {
    /// Shorter strings are replaced: a patch would hardly be shorter.
    static let minimumBytes = 60

    private var utf8: [UInt8] = []

    /// Returns nil if the values are not strings, or if the new string is short or hardly longer
    /// than the patch would be.
    init?(from old: FleeceValue, to new: FleeceValue) {
        guard let oldText = old.raw.string, let newText = new.raw.string,
            newText.count >= Self.minimumBytes,
            UTF8Validation.firstInvalid(in: oldText) == nil,
            UTF8Validation.firstInvalid(in: newText) == nil
        else { return nil }
        var difference = TextDifference(
            old: Array(String(decoding: oldText, as: UTF8.self).unicodeScalars),
            new: Array(String(decoding: newText, as: UTF8.self).unicodeScalars))
        for edit in difference.edits() {
            switch edit {
            case .keep(let scalars): append(Self.bytes(scalars).count, "=")
            case .delete(let scalars): append(Self.bytes(scalars).count, "-")
            case .insert(let scalars):
                let bytes = Self.bytes(scalars)
                append(bytes.count, "+")
                utf8 += bytes
                utf8.append(UInt8(ascii: "|"))
            }
            // Its brackets and numbers take 6 more bytes.
            if utf8.count + 6 >= newText.count { return nil }
        }
    }

    func json(into text: inout JSONText) {
        text.append(quoted: String(decoding: utf8, as: UTF8.self))
    }

    private mutating func append(_ count: Int, _ letter: Unicode.Scalar) {
        utf8 += String(count).utf8
        utf8.append(UInt8(ascii: letter))
    }

    private static func bytes(_ scalars: ArraySlice<Unicode.Scalar>) -> [UInt8] {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return Array(String(text).utf8)
    }
}

extension TextPatch {
    /// Applies a patch to a string.
    ///
    /// Throws `.invalidData` unless the patch is well-formed, covers the old string exactly and
    /// results in valid UTF-8.
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
            guard count <= left else { throw error("counts more bytes than the string has") }
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
                    throw error("lacks a '|' after the inserted text")
                }
                position += 1
            default: throw error("has a character other than =, - or + after a count")
            }
        }
        guard used == old.count else { throw error("does not cover the whole old string") }
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
            // No string is that long; the remaining digits do not matter.
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
