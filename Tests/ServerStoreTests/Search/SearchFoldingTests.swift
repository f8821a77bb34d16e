import ServerStore
import StoreTestSupport
import Testing

@Suite("How search folds strings")
struct SearchFoldingTests {
    /// Whether a city of that name is found by a text, and the other way round.
    private func areSame(_ one: String, _ other: String) -> Bool {
        finds(one, other) && finds(other, one)
    }

    private func finds(_ city: String, _ text: String) -> Bool {
        let server = SearchFixture.server("Q#1", "QQ", city: city)
        return SearchQuery(text).matches(server, SearchFixture.english)
    }

    @Test(
        "letters are as people write them who do not have them",
        arguments: [
            ("Łódź", "lodz"), ("Tromsø", "tromso"), ("Đakovo", "dakovo"), ("Gießen", "giessen"),
            ("GIEẞEN", "giessen"), ("Næstved", "naestved"), ("Œuilly", "oeuilly"),
            ("Þórshöfn", "thorshofn"), ("Seyðisfjörður", "seydisfjordur"), ("Ħamrun", "hamrun"),
            ("İstanbul", "istanbul"), ("Diyarbakır", "diyarbakir"), ("Gəncə", "gence"),
            ("São Paulo", "sao paulo"), ("Málaga", "MALAGA"), ("Đà Nẵng", "da nang"),
            ("Ａｂｃ", "abc"), ("ﬁnse", "finse"), ("Xi’an", "xi'an"),
            ("Winston‑Salem", "winston-salem"),
            ("Санкт-Петербург", "санкт-петербург"), ("Йошкар-Ола", "ИОШКАР-ОЛА"),
            ("Αθήνα", "αθηνα"),
            ("ΠΆΤΡΑΣ", "πατρας"), ("ﾄｳｷｮｳ", "トウキョウ"), ("서울", "서울"), ("أبوظبي", "ابوظبي"),
            ("יְרוּשָׁלַיִם", "ירושלים"), ("Zero\u{200b}width", "zerowidth"), ("a\u{a0}b", "a b"),
        ])
    func letters(city: String, text: String) {
        #expect(areSame(city, text))
    }

    @Test(
        "marks that distinguish words are retained",
        arguments: [("がく", "かく"), ("ญี่ปุ่น", "ญปน"), ("कि", "क")])
    func marks(city: String, text: String) {
        #expect(!areSame(city, text))
    }

    @Test("every letter is found by its capital, of the alphabets that have them")
    func capitals() throws {
        for code in 0x41...0x24f as ClosedRange<UInt32> {
            let letter = try #require(Unicode.Scalar(code)).properties
            guard letter.isAlphabetic else { continue }
            let (small, capital) = (letter.lowercaseMapping, letter.uppercaseMapping)
            #expect(areSame(small, letter.titlecaseMapping), "U+\(String(code, radix: 16))")
            #expect(areSame(small, capital), "U+\(String(code, radix: 16))")
        }
    }

    @Test("only the first 200 code points are used, of strings and of the search")
    func limit() {
        let text = String(repeating: "x", count: 200)
        #expect(finds(text + "y", text + "z"))
        #expect(!finds(text, text.dropLast() + "y"))
        #expect(!finds(text + " tokyo", "tokyo"))
        #expect(finds(String(repeating: "é", count: 200), String(repeating: "e", count: 300)))
    }

    @Test(
        "a text of 100 kB or more takes no time",
        arguments: [
            "x", "é", "%", "' ", "a ", "#", "e\u{301}", "\u{301}", "\u{fdfa}", "a\u{315}\u{300}",
            "\u{1f468}\u{200d}", "\u{0}", " ",
        ])
    func long(part: String) {
        let text = String(repeating: part, count: 1_000_000 / part.utf8.count)
        let servers = [
            SearchFixture.server(text, text, city: text, translated: text, state: text),
            SearchFixture.server("CH#1", "CH", city: "Zürich"),
        ]
        let search = ServerSearch(servers: servers, names: SearchFixture.english)
        let seconds = processorSeconds {
            for _ in 0..<10 { _ = search.find(text) }
            for _ in 0..<10 { _ = SearchQuery(text).matches(servers[1], SearchFixture.english) }
        }
        #expect(search.indices(matching: text).contains(0))
        // Reading all of it each time would take longer.
        #expect(seconds < 2)
    }
}
