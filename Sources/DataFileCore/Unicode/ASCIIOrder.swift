/// The order of ASCII characters in Unicode's collation, so that most texts need no collator.
struct ASCIIOrder: @unchecked Sendable {
    // Unchecked: the memory is written once, and lives as long as the process.

    /// The one order of the process.
    static let shared = ASCIIOrder()

    /// The place of each character; the two cases of a letter have the same.
    let places: UnsafePointer<UInt8>

    /// Spaces, signs, digits, letters; the control characters that are not here come last
    /// (spec §5.4).
    private static let signs = "\t\n\r `^_-,;:!?.'\"()[]{}@*/\\&#%+<=>|~$0123456789"

    private init() {
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 128)
        memory.initialize(repeating: 0, count: 128)
        var place: UInt8 = 1
        for sign in ASCIIOrder.signs.utf8 {
            memory[Int(sign)] = place
            place += 1
        }
        for letter in UInt8(ascii: "a")...UInt8(ascii: "z") {
            memory[Int(letter)] = place
            memory[Int(letter - 32)] = place
            place += 1
        }
        for control in 0..<128 where memory[control] == 0 {
            memory[control] = place
            place += 1
        }
        places = UnsafePointer(memory)
    }

    /// Compares two texts, nil if that needs more than ASCII: one that is not ASCII comes up before
    /// they differ.
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
                let otherPlace = places[Int(other)]
                if place != otherPlace { return place < otherPlace ? -1 : 1 }
                // A small letter, whose number is the greater one, comes first.
                if tie == 0 { tie = one > other ? -1 : 1 }
            } else if one & 0x80 != 0 {
                return nil
            }
            index &+= 1
        }
        if first.count > count { return first[count] & 0x80 == 0 ? 1 : nil }
        if second.count > count { return second[count] & 0x80 == 0 ? -1 : nil }
        return caseSensitive ? tie : 0
    }
}
