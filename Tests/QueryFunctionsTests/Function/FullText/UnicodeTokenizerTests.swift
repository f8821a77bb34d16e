import SQLCore
import SampleData
import StoreTestSupport
import Testing
@testable import QueryFunctions

@Suite("The tokenizer unicodesn")
struct UnicodeTokenizerTests {
    @Test("finds words of letters and digits, in lower case and without marks")
    func words() throws {
        let table = try TokenTable()
        #expect(
            try table.words("Ünïcode, ÉTÉ & 3.14; don't a_b x²")
                == ["unicode", "ete", "3", "14", "don", "t", "a", "b", "x²"])
        #expect(try table.words("") == [])
        #expect(try table.words(" .,;\u{200b}\u{a0}😀") == [])
        #expect(try TokenTable("unicodesn", "remove_diacritics=0").words("ÉTÉ") == ["été"])
    }

    @Test("reports the positions of words in the original text")
    func places() throws {
        let tokens = try TokenTable().tokens(Array("¿Cómo? ÇA".utf8))
        #expect(tokens.map(\.string) == ["como", "ca"])
        #expect(tokens.map(\.bytes) == [2..<7, 9..<12])
        #expect(tokens.map(\.position) == [0, 1])
    }

    @Test("keeps combining marks with their letter, and folds both spellings to the same word")
    func combining() throws {
        let table = try TokenTable()
        #expect(try table.words("e\u{301}te\u{301}") == ["ete"])
        #expect(try table.words("\u{301}a") == ["a"])
        #expect(try table.tokens(Array("e\u{301} x".utf8)).map(\.bytes) == [0..<3, 4..<5])
        let kept = try TokenTable("unicodesn", "remove_diacritics=0")
        #expect(try kept.words("e\u{301}") == ["e\u{301}"])
    }

    @Test("does not fold a zero-width space into a word, nor a soft hyphen")
    func zeroWidth() throws {
        #expect(
            try TokenTable().words("zero\u{200b}width so\u{ad}ft") == ["zero", "width", "so", "ft"])
    }

    @Test("options add characters to words or remove them, except marks")
    func exceptions() throws {
        let table = try TokenTable("unicodesn", "tokenchars=-_€\u{301}", "separators=xé")
        #expect(try table.words("a-b_c 5€ axb fixé") == ["a-b_c", "5€", "a", "b", "fi"])
        #expect(try table.words("\u{301}") == [])
        #expect(
            try TokenTable("unicodesn", "tokenchars=a", "separators=.").words("a.b") == ["a", "b"])
    }

    @Test("omits stop words, which do not count in phrases")
    func stopWords() throws {
        let english = try TokenTable("unicodesn", "stopwords=en")
        let tokens = try english.tokens(Array("The end of THE world".utf8))
        #expect(tokens.map(\.string) == ["end", "world"])
        #expect(tokens.map(\.position) == [0, 1])
        #expect(
            try TokenTable("unicodesn", "stopwords=fr").words("le chat est à LÀ") == ["chat", "a"])
        #expect(try TokenTable("unicodesn", "stopwords=de").words("der Hund") == ["der", "hund"])
        let listed = try TokenTable("unicodesn", "stopwordlist=  fox été ", "stopwords=en")
        #expect(try listed.words("the fox été") == ["the", "ete"])
        #expect(try TokenTable("unicodesn", "stopwordlist=").words("the fox") == ["the", "fox"])
    }

    @Test("has Snowball's stop words: 174 English, 164 French")
    func lists() {
        for (list, count) in [(StopWords.englishWords, 174), (StopWords.frenchWords, 164)] {
            let words = list.split(whereSeparator: \.isWhitespace).map(String.init)
            #expect(Set(words).count == count)
            let stopWords = StopWords(words)
            for word in words {
                #expect(word.utf8CString.dropLast().withUnsafeBytes(stopWords.contains))
            }
            for word in ["", "snowball", "th", "thee", "ourselvess"] {
                #expect(!word.utf8CString.dropLast().withUnsafeBytes(stopWords.contains))
            }
        }
    }

    @Test("stems after folding, in LiteCore's languages, by code or name")
    func stems() throws {
        for name in ["en", "english", "porter"] {
            #expect(
                try TokenTable("unicodesn", "stemmer=\(name)").words("Running QUICKLY foxes")
                    == ["run", "quick", "fox"].map {
                        name == "porter" && $0 == "quick" ? "quickli" : $0
                    })
        }
        #expect(try TokenTable("unicodesn", "stemmer=ru").words("Москвы леса") == ["москв", "лес"])
        for name in ["xx", "", "greek", "ar"] {
            #expect(try TokenTable("unicodesn", "stemmer=\(name)").words("foxes") == ["foxes"])
        }
    }

    @Test("treats the Russian ё as a separate letter, in all versions of Snowball")
    func yo() throws {
        let table = try TokenTable("unicodesn", "stemmer=ru")
        #expect(try table.words("зелёные Ёлка ёж") == ["зелён", "ёлка", "ёж"])
        // A word with the letter that stands in for it meanwhile.
        #expect(try table.words("ђёка ђ") == ["ђек", "ђ"])
    }

    @Test("stems a word the same with and without the cache, except very long ones")
    func stemCache() throws {
        let table = try TokenTable("unicodesn", "stemmer=en")
        let fresh = (0..<3000).map {
            "running\($0) walk\(String(repeating: "x", count: $0 % 40))ing"
        }
        for text in fresh + fresh {
            let stems = try table.words(text)
            #expect(
                stems == (try TokenTable("unicodesn", "stemmer=en").words(text)) || stems.isEmpty)
            if text == fresh.last { break }
        }
        let giant = String(repeating: "ab", count: 500_000) + "ing"
        #expect(try table.words(giant) == [giant])
        let long = String(repeating: "ab", count: 500) + "ing"
        #expect(try table.words(long) == [String(long.dropLast(3))])
        // A capital sharp s and the like: words whose bytes grow or shrink when they are folded.
        #expect(try TokenTable("unicodesn", "stemmer=de").words("STRAẞEN") == ["strass"])
    }

    @Test("tokenizes several texts in turns, and one after the other")
    func cursors() throws {
        func word(_ cursor: inout UnicodeTokenCursor) throws -> String? {
            try cursor.next().map { String(decoding: $0.text, as: UTF8.self) }
        }
        let tokenizer = try UnicodeTokenizer(arguments: [])
        try Array("One two".utf8).withUnsafeBytes { first in
            try Array("Three four".utf8).withUnsafeBytes { second in
                var one = try tokenizer.cursor(over: first, language: 0)
                let token = try #require(try one.next())
                var other = try tokenizer.cursor(over: second, language: 0)
                #expect(try word(&other) == "three")
                #expect(String(decoding: token.text, as: UTF8.self) == "one")
                #expect(try word(&one) == "two")
                #expect(try word(&other) == "four")
            }
            for _ in 1...2 {
                var one = try tokenizer.cursor(over: first, language: 0)
                #expect(try word(&one) == "one")
            }
        }
    }

    @Test("rejects unknown options, as SQLite's tokenizers do")
    func unknownOption() throws {
        for option in ["segmentation=icu", "remove_diacritics=2", "stemmer", "", "x"] {
            let isEmptyStemmer = option == "stemmer"
            if isEmptyStemmer {
                #expect(try TokenTable("unicodesn", option).words("foxes") == ["foxes"])
            } else {
                #expect(throws: SQLError.self) { try TokenTable("unicodesn", option).words("a") }
            }
        }
    }
}
