/// Synthetic paragraphs of 80 to 160 words, in which few words are frequent and most are rare, as
/// in natural languages: the data of benchmarks of full-text search.
///
/// The same seed gives the same paragraphs, on every machine. Two words have a known frequency, for
/// queries with a known number of results:
///
/// ```swift
/// var lines: [String] = []
/// for paragraph in Paragraphs(count: 2_000) { lines.append(paragraph) }
/// let rare = lines.count { $0.contains(Paragraphs.rareWord) }
/// show(rare)  // 2: one of each thousand
/// ```
public struct Paragraphs: Sequence, IteratorProtocol, Sendable {
    /// A word that occurs once each in 3,891 of 20,000 paragraphs, evenly distributed.
    ///
    /// It is in the first half of the words of a paragraph, in lower case or at the beginning of a
    /// sentence.
    public static let frequentWord = "lighthouse"
    /// A word that occurs once in each thousandth paragraph, as its last word.
    public static let rareWord = "obsidian"

    private var random: SeededGenerator
    private let vocabulary: [String]
    private var number = 0
    private let count: Int

    /// Creates a sequence of paragraphs.
    ///
    /// ```swift
    /// let text = Paragraphs(count: 10, seed: 5).joined(separator: "\n\n")
    /// ```
    ///
    /// - Parameters:
    ///   - count: the number of paragraphs.
    ///   - seed: determines the vocabulary and the paragraphs; 1 by default.
    public init(count: Int, seed: UInt64 = 1) {
        random = SeededGenerator(seed: seed)
        vocabulary = Self.words(&random)
        self.count = count
    }

    /// The next paragraph, of letters, spaces, commas and periods; nil after the last.
    ///
    /// - Returns: a text of several sentences, without a line ending.
    public mutating func next() -> String? {
        guard number < count else { return nil }
        number += 1
        var words = (0..<80 + random.below(81)).map { _ in word() }
        if number * 3_891 / 20_000 > (number - 1) * 3_891 / 20_000 {
            words[random.below(words.count / 2)] = Self.frequentWord
        }
        if number % 1_000 == 7 { words[words.count - 1] = Self.rareWord }
        return sentences(words)
    }

    /// Small indices in the vocabulary are the most likely by far.
    private mutating func word() -> String {
        let bound = 1 + random.below(vocabulary.count)
        return vocabulary[random.below(1 + random.below(bound))]
    }

    private mutating func sentences(_ words: [String]) -> String {
        var text = ""
        var rest = 0
        for word in words {
            if rest == 0 {
                if !text.isEmpty { text += ". " }
                rest = 6 + random.below(12)
                text += word.prefix(1).uppercased() + word.dropFirst()
            } else {
                text += random.below(10) == 0 ? ", " : " "
                text += word
            }
            rest -= 1
        }
        return text + "."
    }

    /// Words of one to four syllables, shortest first.
    private static func words(_ random: inout SeededGenerator) -> [String] {
        let first = ["b", "c", "d", "f", "gr", "h", "l", "m", "n", "p", "r", "s", "st", "t", "w"]
        let middle = ["a", "e", "i", "o", "u", "ea", "oo"]
        let last = ["", "", "l", "n", "r", "s", "nd", "ck", "ing", "ed"]
        var words: [String] = []
        var known: Set<String> = []
        for syllables in 1...4 {
            while words.count < 1_500 * syllables {
                let word = (0..<syllables).map { _ in
                    random.pick(first) + random.pick(middle) + random.pick(last)
                }.joined()
                if known.insert(word).inserted || syllables == 1 { words.append(word) }
            }
        }
        return words
    }
}
