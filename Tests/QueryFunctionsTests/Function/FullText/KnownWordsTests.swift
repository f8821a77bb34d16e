import SQLCore
import SampleData
import Testing
@testable import QueryFunctions

@Suite("The word cache of a tokenizer")
struct KnownWordsTests {
    private func packed(_ text: String) -> PackedWord? {
        let buffer = TokenBuffer()
        for code in text.unicodeScalars { buffer.append(code.value) }
        return buffer.packed
    }

    private func text(_ word: PackedWord) -> String {
        let buffer = TokenBuffer()
        buffer.replace(with: word)
        return String(decoding: buffer.text, as: UTF8.self)
    }

    @Test("have keys of up to 31 bytes, which differ if a byte or the length does")
    func packing() throws {
        var words: Set<String> = ["", "zoë", "été"]
        for count in 1...31 {
            let word = String(repeating: "a", count: count)
            words.formUnion([word, word.dropLast() + "b", "b" + word.dropFirst()])
        }
        #expect(words.count > 90)
        for one in words {
            let word = try #require(packed(one))
            #expect(text(word) == one && word.count == one.utf8.count && !word.isMarked)
            for other in words { #expect((word == packed(other)) == (one == other)) }
        }
        #expect(packed(String(repeating: "a", count: 32)) == nil)
    }

    @Test("are not confused with earlier content of the buffer")
    func leftovers() throws {
        let buffer = TokenBuffer()
        for _ in 0..<31 { buffer.append(UInt32(UInt8(ascii: "x"))) }
        buffer.removeAll()
        buffer.append(UInt32(UInt8(ascii: "a")))
        #expect(buffer.packed == packed("a"))
    }

    @Test("are found with the latest entry, or not at all")
    func finding() throws {
        var known = KnownWords()
        let stop = try #require(packed("stop"))
        let none = known.find(stop) == nil
        #expect(none)
        var found = 0
        for number in 0..<20_000 {
            let word = try #require(packed("word\(number)"))
            var token = try #require(packed("stem\(number)"))
            token.isMarked = number % 3 == 0
            known.note(word, token)
            for earlier in [number, number / 2, number * 9 / 10] {
                let key = try #require(packed("word\(earlier)"))
                guard let other = known.find(key) else {
                    #expect(earlier != number)
                    continue
                }
                found += 1
                #expect(text(other.pointee) == "stem\(earlier)")
                #expect(other.pointee.isMarked == (earlier % 3 == 0))
            }
        }
        #expect(found > 25_000)
    }

    @Test("have the same tokens each time, whatever the words before")
    func tokens() throws {
        let arguments = ["stopwords=en", "stemmer=en"]
        let shared = try UnicodeTokenizer(arguments: arguments)
        func words(_ tokenizer: UnicodeTokenizer, _ text: String) throws -> [String] {
            try Array(text.utf8).withUnsafeBytes { bytes in
                var cursor = try tokenizer.cursor(over: bytes, language: 0)
                var words: [String] = []
                while let token = try cursor.next() {
                    words.append(String(decoding: token.text, as: UTF8.self))
                }
                return words
            }
        }
        #expect(try words(shared, "The running of the bulls") == ["run", "bull"])
        #expect(try words(shared, "The running of the bulls") == ["run", "bull"])
        let long = String(repeating: "internationali", count: 3) + "zing"
        #expect(try words(shared, long + " runs") == words(shared, long + " running"))
        for text in Paragraphs(count: 200, seed: 7) {
            let alone = try UnicodeTokenizer(arguments: arguments)
            #expect(try words(shared, text) == words(alone, text))
        }
    }
}
