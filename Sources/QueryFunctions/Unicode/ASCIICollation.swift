/// The order of ASCII characters in LiteCore's collations, so that most texts need no collator.
package struct ASCIICollation: @unchecked Sendable {
    // Unchecked: the memory is written once, and lives as long as the process.

    /// The order of all characters.
    static let all = ASCIICollation(withoutControls: false)

    /// The order of the characters of which ICU itself has the same order: all printable ones but
    /// `^` and the grave accent, and white space.
    static let printable = ASCIICollation(withoutControls: true)

    /// The place of each character, from 1; the two cases of a letter have the same. 0 for one that
    /// is left to the collator.
    let places: UnsafePointer<UInt8>

    /// Spaces, signs, digits, letters; the control characters that are not here come last
    /// (spec §5.4).
    private static let signs = "\t\n\r `^_-,;:!?.'\"()[]{}@*/\\&#%+<=>|~$0123456789"

    private init(withoutControls: Bool) {
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 128)
        memory.initialize(repeating: 0, count: 128)
        var place: UInt8 = 1
        for sign in ASCIICollation.signs.utf8 {
            memory[Int(sign)] = place
            place += 1
        }
        for letter in UInt8(ascii: "a")...UInt8(ascii: "z") {
            memory[Int(letter)] = place
            memory[Int(letter - 32)] = place
            place += 1
        }
        for control in 0..<128 where memory[control] == 0 && !withoutControls {
            memory[control] = place
            place += 1
        }
        if withoutControls {
            memory[Int(UInt8(ascii: "^"))] = 0
            memory[Int(UInt8(ascii: "`"))] = 0
        }
        places = UnsafePointer(memory)
    }

    /// Compares two texts; nil if that needs the collator: a byte that is not ASCII, or a character
    /// without a place, comes up before they differ, or behind the place where they do.
    ///
    /// A combining mark behind a letter can make it another one.
    @inline(__always)
    func compare(
        _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer, caseSensitive: Bool
    ) -> Int32? {
        let count = min(first.count, second.count)
        var tie: Int32 = 0
        var index = 0
        while index < count {
            let one = first[index]
            let other = second[index]
            if one != other {
                if (one | other) & 0x80 != 0 { return nil }
                let place = places[Int(one)]
                let otherPosition = places[Int(other)]
                if place != otherPosition {
                    let isLast = isASCII(first, index + 1) && isASCII(second, index + 1)
                    guard place != 0, otherPosition != 0, isLast else { return nil }
                    return place < otherPosition ? -1 : 1
                }
                if place == 0 { return nil }
                // A small letter, whose number is the greater one, comes first.
                if tie == 0 { tie = one > other ? -1 : 1 }
            } else if one & 0x80 != 0 {
                return nil
            }
            index &+= 1
        }
        if first.count > count { return hasPosition(first[count]) ? 1 : nil }
        if second.count > count { return hasPosition(second[count]) ? -1 : nil }
        return caseSensitive ? tie : 0
    }

    /// Whether a byte is ASCII, or the text ends before it.
    @inline(__always)
    private func isASCII(_ text: UnsafeRawBufferPointer, _ index: Int) -> Bool {
        index >= text.count || text[index] & 0x80 == 0
    }

    @inline(__always)
    private func hasPosition(_ byte: UInt8) -> Bool { byte & 0x80 == 0 && places[Int(byte)] != 0 }

    /// The characters that have a place, the first one first; a small letter before its capital.
    var characters: [UInt8] {
        (0..<128).filter { places[Int($0)] != 0 }.sorted {
            let (one, other) = (places[Int($0)], places[Int($1)])
            return one != other ? one < other : $0 > $1
        }
    }
}
