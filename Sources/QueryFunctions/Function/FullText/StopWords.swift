/// Words that are not indexed, found by their bytes.
final class StopWords: Sendable {
    private let slots: [[UInt8]]
    private let longest: Int

    /// Empty words are left out.
    init(_ words: [String]) {
        let words = words.map { Array($0.utf8) }.filter { !$0.isEmpty }
        // At most a quarter full, so that most searches end at the first slot.
        var size = 16
        while size < 4 * words.count { size *= 2 }
        var slots = [[UInt8]](repeating: [], count: size)
        for word in words {
            var index = word.withUnsafeBytes { StopWords.hash($0) } & (size - 1)
            while !slots[index].isEmpty, slots[index] != word { index = (index + 1) & (size - 1) }
            slots[index] = word
        }
        self.slots = slots
        longest = words.map(\.count).max() ?? 0
    }

    /// Whether a word is among them.
    func contains(_ word: UnsafeRawBufferPointer) -> Bool {
        guard word.count <= longest else { return false }
        let mask = slots.count &- 1
        var index = StopWords.hash(word) & mask
        while true {
            // The elements are not copied: this is called for each word of each text.
            let found: Bool? = slots[index].withUnsafeBytes { slot in
                if slot.isEmpty { return false }
                return slot.count == word.count && slot.elementsEqual(word) ? true : nil
            }
            if let found { return found }
            index = (index &+ 1) & mask
        }
    }

    private static func hash(_ word: UnsafeRawBufferPointer) -> Int {
        var hash: UInt32 = 0x811c_9dc5
        for byte in word { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        return Int(hash >> 8)
    }
}

extension StopWords {
    /// The built-in list of a language, nil if it has none, as most.
    static func builtIn(_ language: String) -> StopWords? {
        switch language {
        case "en": english
        case "fr": french
        default: nil
        }
    }

    private static let english = StopWords(englishWords.split(separator: " ").map(String.init))
    private static let french = StopWords(frenchWords.split(separator: " ").map(String.init))
}
