/// A hash set of words that are not indexed, by their bytes.
final class StopWords: Sendable {
    private let slots: [[UInt8]]
    private let longest: Int

    /// Empty words are ignored.
    init(_ words: [String]) {
        let words = words.map { Array($0.utf8) }.filter { !$0.isEmpty }
        // At most a quarter of the slots is used, so that most searches end at the first slot.
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

    /// Whether the set contains a word.
    func contains(_ word: UnsafeRawBufferPointer) -> Bool {
        guard word.count <= longest else { return false }
        let mask = slots.count &- 1
        var index = StopWords.hash(word) & mask
        while true {
            // The elements are not copied: this runs for each word of each text.
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
    /// The built-in list of a language; nil for most languages.
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

/// The stop words of the Snowball project (snowballstem.org, `algorithms/*/stop.txt`), which
/// LiteCore's tokenizer includes. THIRD-PARTY.md contains the notice that their licence requires.
extension StopWords {
    /// 174 words.
    static let englishWords = """
        i me my myself we our ours ourselves you your yours yourself yourselves he him his \
        himself she her hers herself it its itself they them their theirs themselves what which \
        who whom this that these those am is are was were be been being have has had having do \
        does did doing would should could ought i'm you're he's she's it's we're they're i've \
        you've we've they've i'd you'd he'd she'd we'd they'd i'll you'll he'll she'll we'll \
        they'll isn't aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't won't \
        wouldn't shan't shouldn't can't cannot couldn't mustn't let's that's who's what's here's \
        there's when's where's why's how's a an the and but if or because as until while of at \
        by for with about against between into through during before after above below to from \
        up down in out on off over under again further then once here there when where why how \
        all any both each few more most other some such no nor not only own same so than too \
        very
        """

    /// 164 words.
    static let frenchWords = """
        au aux avec ce ces dans de des du elle en et eux il je la le leur lui ma mais me même \
        mes moi mon ne nos notre nous on ou par pas pour qu que qui sa se ses son sur ta te tes \
        toi ton tu un une vos votre vous c d j l à m n s t y été étée étées étés étant suis es \
        est sommes êtes sont serai seras sera serons serez seront serais serait serions seriez \
        seraient étais était étions étiez étaient fus fut fûmes fûtes furent sois soit soyons \
        soyez soient fusse fusses fût fussions fussiez fussent ayant eu eue eues eus ai as avons \
        avez ont aurai auras aura aurons aurez auront aurais aurait aurions auriez auraient \
        avais avait avions aviez avaient eut eûmes eûtes eurent aie aies ait ayons ayez aient \
        eusse eusses eût eussions eussiez eussent ceci cela celà cet cette ici ils les leurs \
        quel quels quelle quelles sans soi
        """
}
