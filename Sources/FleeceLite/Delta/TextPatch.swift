/// A string's change as text: counts of bytes to keep (`4=`), delete (`3-`) and insert (`2+ab|`).
struct TextPatch {
    /// Shorter strings are written anew: a patch would hardly be shorter.
    static let minimumBytes = 60

    private var utf8: [UInt8] = []

    /// Nil if the values are no strings, or if the new string is short or hardly longer than the
    /// patch would be.
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
            // With its brackets and numbers it takes 6 bytes more.
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
