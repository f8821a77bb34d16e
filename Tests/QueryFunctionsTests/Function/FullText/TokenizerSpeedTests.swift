import SampleData
import StoreTestSupport
import Testing
@testable import QueryFunctions

#if DEBUG
    private let isOptimised = false
#else
    private let isOptimised = true
#endif

@Suite(
    "The speed of the tokenizer",
    .enabled(if: isOptimised, "needs `swift test -c release -Xswiftc -enable-testing`"))
struct TokenizerSpeedTests {
    @Test("is above 20 MB/s for English with stop words and stems")
    func english() throws {
        var random = SeededGenerator(seed: 1)
        let stems = "run jump index engineer quick nation algorithm document read the of and in to"
            .split(separator: " ").map(String.init)
        let vocabulary = (0..<5_000).map { number in
            stems[number % stems.count]
                + (number < 50 ? "" : random.pick(["ing", "ed", "ly", "s"]))
                + (number < 500 ? "" : String(number))
        }
        var text = ""
        while text.utf8.count < 4_000_000 {
            // The first words of the vocabulary are the most frequent ones.
            text += vocabulary[random.below(1 + random.below(vocabulary.count))] + " "
        }
        let tokenizer = try UnicodeTokenizer(arguments: ["stopwords=en", "stemmer=en"])
        var best = 3600.0
        for _ in 0..<5 {
            let time = try processorSeconds {
                try Array(text.utf8).withUnsafeBytes { bytes in
                    var cursor = try tokenizer.cursor(over: bytes, language: 0)
                    var count = 0
                    while try cursor.next() != nil { count += 1 }
                    #expect(count > 300_000)
                }
            }
            best = min(best, time)
        }
        let speed = 4 / best
        print("TokenizerSpeedTests: \(speed) MB/s")
        #expect(speed > 20)
    }
}
