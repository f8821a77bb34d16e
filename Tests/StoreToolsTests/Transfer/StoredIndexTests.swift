import StoreFormat
import StoreTestSupport
import Testing
@testable import DataFileCore

@Suite("Indexes that are created as in another file")
struct StoredIndexTests {
    static let specs: [IndexSpec] = [
        .value("byName", on: "name.last, name.first"),
        .value("adults", on: .json(#"[[".age"]]"#), where: #"[">=",[".age"],18]"#),
        .value("byLower", on: "lower(name)", where: "age > 3"),
        .fullText("plain", on: "bio"),
        .fullText("english", on: "title, bio", .init(language: "en"), where: "kind = 'text'"),
        .fullText("unstemmed", on: "bio", .init(language: "de", isStemmed: false)),
        .fullText("accents", on: "bio", .init(ignoresDiacritics: false)),
        .fullText("stops", on: "bio", .init(language: "fr", stopWords: ["le", "\u{e0}"])),
        .fullText("noStops", on: "bio", .init(language: "en", stopWords: [])),
        .fullText("thai", on: "bio", .init(language: "th", segmentsWords: true)),
        .array("likes", path: "likes"),
        .array("phones", path: "contacts[].phones", on: "number", where: "active"),
    ]

    @Test("are the same, with all options", arguments: specs)
    func roundTrip(_ spec: IndexSpec) throws {
        let source = try TemporaryStore(options: TransferFixture.options())
        let target = try TemporaryStore(options: TransferFixture.options())
        let people = DocumentCollection(.default)
        #expect(try source.file.write { try people.createIndex(spec, in: $0) })
        let stored = try #require(try source.file.read { try $0.storedIndexes() }.first)
        #expect(stored.name == spec.name)
        #expect(try target.file.write { try $0.createIndex(stored) })
        #expect(try target.file.write { try $0.createIndex(stored) } == false)
        #expect(try target.file.read { try $0.storedIndexes() } == [stored])
        // The SQL shows whether anything was lost.
        #expect(
            try target.file.write { try people.createIndex(spec, in: $0) } == false,
            "the same index as the spec's own")
    }

    @Test("the failure policy of a model is copied")
    func predictive() throws {
        let source = try TemporaryStore(options: TransferFixture.options())
        let target = try TemporaryStore(options: TransferFixture.options())
        let people = DocumentCollection(.default)
        let spec = IndexSpec.predictive(
            "mood", on: "prediction('transferMood', {'text': text}, .label)",
            PredictiveOptions(onFailure: .leavesOut))
        #expect(try source.file.write { try people.createIndex(spec, in: $0) })
        let stored = try #require(try source.file.read { try $0.storedIndexes() }.first)
        #expect(stored.leavesFailuresOut)
        #expect(try stored.spec() == spec)
        #expect(try target.file.write { try $0.createIndex(stored) })
        #expect(try target.file.read { try $0.lenientModels() } == ["transferMood"])
    }

    @Test("of vectors, of unknown kinds and without a definition are rejected")
    func refused() throws {
        let store = try TemporaryStore(options: TransferFixture.options())
        for index in [
            StoredIndex(name: "v", kind: .vector, keyStore: .default, expression: "=nv"),
            StoredIndex(name: "u", kind: nil, keyStore: .default, expression: "=nv"),
            StoredIndex(name: "n", kind: .value, keyStore: .default, expression: nil),
            StoredIndex(
                name: "t", kind: .fullText, keyStore: .default, expression: "=nbio",
                tokenizerArguments: ["tokenchars=x"]),
        ] {
            #expect {
                try store.file.write { try $0.createIndex(index) }
            } throws: {
                ($0 as? StoreError)?.has(.unsupported) == true
            }
        }
    }

    @Test(
        "the arguments of a tokenizer are read from the table's text",
        arguments: [
            (#"CREATE VIRTUAL TABLE t USING fts4("a", tokenize=unicodesn)"#, []),
            (
                #"… fts4("a", tokenize=unicodesn "stopwords=en" "stemmer=en")"#,
                ["stopwords=en", "stemmer=en"]
            ),
            (#"… fts4("tokenize=unicodesn", tokenize=unicodesn "a=""b""")"#, [#"a="b""#]),
            (#"… tokenize=unicodesn "cut"#, []), ("", []),
        ])
    func tokenizer(sql: String, arguments: [String]) {
        #expect(TokenizerText.arguments(inTable: sql) == arguments)
    }
}
