/// The order of ASCII characters in LiteCore's collations, so that most strings need no collator.
package struct ASCIICollation: @unchecked Sendable {
    // Unchecked: the memory is written once, and lives as long as the process.

    /// The order of all characters.
    static let all = ASCIICollation(withoutControls: false)

    /// The order of the characters that ICU sorts in the same way: all printable ones except `^`
    /// and the grave accent, and white space.
    static let printable = ASCIICollation(withoutControls: true)

    /// The rank of each character, from 1; both cases of a letter have the same rank. 0 for a
    /// character that needs the collator.
    let ranks: UnsafePointer<UInt8>

    /// Spaces, punctuation, digits, letters; the control characters that are not listed come last.
    private static let signs = "\t\n\r `^_-,;:!?.'\"()[]{}@*/\\&#%+<=>|~$0123456789"

    private init(withoutControls: Bool) {
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 128)
        memory.initialize(repeating: 0, count: 128)
        var rank: UInt8 = 1
        for sign in ASCIICollation.signs.utf8 {
            memory[Int(sign)] = rank
            rank += 1
        }
        for letter in UInt8(ascii: "a")...UInt8(ascii: "z") {
            memory[Int(letter)] = rank
            memory[Int(letter - 32)] = rank
            rank += 1
        }
        for control in 0..<128 where memory[control] == 0 && !withoutControls {
            memory[control] = rank
            rank += 1
        }
        if withoutControls {
            memory[Int(UInt8(ascii: "^"))] = 0
            memory[Int(UInt8(ascii: "`"))] = 0
        }
        ranks = UnsafePointer(memory)
    }

    /// Compares two strings; nil if the collator is needed: a byte that is not ASCII, or a
    /// character without a rank, occurs before or directly after their first difference.
    ///
    /// A combining mark after a letter can change it.
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
                let rank = ranks[Int(one)]
                let otherRank = ranks[Int(other)]
                if rank != otherRank {
                    let isLast = isASCII(first, index + 1) && isASCII(second, index + 1)
                    guard rank != 0, otherRank != 0, isLast else { return nil }
                    return rank < otherRank ? -1 : 1
                }
                if rank == 0 { return nil }
                // A lower-case letter, which has the greater code, comes first.
                if tie == 0 { tie = one > other ? -1 : 1 }
            } else if one & 0x80 != 0 {
                return nil
            }
            index &+= 1
        }
        if first.count > count { return hasRank(first[count]) ? 1 : nil }
        if second.count > count { return hasRank(second[count]) ? -1 : nil }
        return caseSensitive ? tie : 0
    }

    /// Whether a byte is ASCII, or the string ends before it.
    @inline(__always)
    private func isASCII(_ text: UnsafeRawBufferPointer, _ index: Int) -> Bool {
        index >= text.count || text[index] & 0x80 == 0
    }

    @inline(__always)
    private func hasRank(_ byte: UInt8) -> Bool { byte & 0x80 == 0 && ranks[Int(byte)] != 0 }

    /// The characters that have a rank, in order; a lower-case letter before its upper-case one.
    var characters: [UInt8] {
        (0..<128).filter { ranks[Int($0)] != 0 }.sorted {
            let (one, other) = (ranks[Int($0)], ranks[Int($1)])
            return one != other ? one < other : $0 > $1
        }
    }
}
