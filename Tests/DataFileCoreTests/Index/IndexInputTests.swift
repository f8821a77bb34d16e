import DataFileCore
import EngineTestSupport
import StoreFormat
import Testing

@Suite("Definitions of indexes that are wrong", .serialized)
struct IndexInputTests {
    let fixture: IndexFixture

    init() throws {
        IndexSample.registerModel()
        fixture = try IndexFixture()
    }

    /// The definition is rejected for a reason, with and without documents, and nothing is created.
    private func refused(
        _ spec: IndexSpec, _ reason: String, _ code: StoreError.Code = .invalidQuery
    ) throws {
        for documents in [[:], ["d": #"{"a":[{"b":"x"}]}"#]] {
            try fixture.save(documents)
            let before = try fixture.wholeSchema()
            let error = storeError(code) { try fixture.create(spec) }
            #expect(error?.message.contains(reason) == true, "\(String(describing: error))")
            #expect(try fixture.wholeSchema() == before)
            #expect(try fixture.names() == [])
        }
    }

    @Test("are refused for every kind: expressions")
    func expressions() throws {
        for text in ["", " ", "a,", ",a", "a b", "SELECT a", "(", "a = ", "nothing(a)", "'open"] {
            let reason = text.allSatisfy(\.isWhitespace) ? "i" : "syntax error"
            try refused(.value("i", on: .sqlPlusPlus(text)), reason)
            try refused(.fullText("i", on: .sqlPlusPlus(text)), reason)
            try refused(.predictive("i", on: .sqlPlusPlus(text)), reason)
            guard reason == "syntax error" else { continue }
            try refused(.array("i", path: "a", on: .sqlPlusPlus(text)), reason)
        }
        for json in [
            "[", "{}", "1", "\"a\"", "[[\"nope\",1]]", "[[]]", "{\"WHERE\":1}", "[\"SELECT\"]",
        ] {
            // A string is an expression, and so is a number: only their lists are not.
            guard json != "[\"SELECT\"]" else { continue }
            try refused(.value("i", on: .json(json)), "i")
            try refused(.fullText("i", on: .json(json)), "i")
        }
    }

    @Test("are refused for every kind: conditions", arguments: IndexSample.allCases)
    func conditions(sample: IndexSample) throws {
        for (condition, reason) in [
            ("", "syntax error"), ("a =", "syntax error"), ("a, b", "syntax error"),
            ("a = $p", "parameter $p"),
            ("random() < 1", "another value"), ("now_str() < a", "another value"),
            ("count(a) = 1", "aggregate function"), ("MATCH(x, 'y')", "cannot be used"),
            ("a = 'b\0c'", "U+0000"), ("lenght(a) = 1", "lenght"),
            ("EXISTS (17)", "cannot be created"),
        ] {
            try refused(sample.spec(where: condition), reason)
        }
        guard sample != .value else { return }
        for condition in [
            "META().sequence > 1", "_sequence > 1", "META().deleted", "_expiration > 1",
            "META().revisionID = 'x'", "META() IS VALUED",
        ] {
            try refused(sample.spec(where: condition), "can use META().id only")
        }
        #expect(try fixture.create(sample.spec(where: "META().id > 'a' AND _id < 'b'")))
        try fixture.save(["aa": #"{"a":[1]}"#, "c": #"{"a":[1]}"#])
        #expect(try fixture.isSound())
    }

    @Test("are rejected: expressions that SQLite does not accept in its indexes")
    func unindexable() throws {
        for text in [
            "ANY x IN a SATISFIES x > 1 END", "EVERY x IN a SATISFIES x = 1 END",
            "ANY AND EVERY x IN [1, 2] SATISFIES x = a END",
        ] {
            try refused(.value("i", on: .sqlPlusPlus(text)), "cannot be used in an index")
            try refused(.value("i", on: "a", where: text), "cannot be used in an index")
        }
        try refused(.value("i", on: "a LIKE 'x%'"), "LIKE cannot be used in an index")
        try refused(.array("i", path: "a", on: "b LIKE 'x%'"), "LIKE cannot be used in an index")
        #expect(try fixture.create(.value("any", on: "ANY x IN a SATISFIES x = 1 END")))
        #expect(try fixture.create(.value("like", on: "(a LIKE 'x%') COLLATE NOCASE")))
        let every = "ANY AND EVERY x IN [a, b] SATISFIES x > 1 END"
        #expect(try fixture.create(.array("i", path: "c", where: every)))
        try fixture.save(["d": #"{"a":2,"b":3,"c":[5]}"#, "e": #"{"a":0,"b":3,"c":[6]}"#])
        #expect(try fixture.isSound())
        #expect(
            try fixture.query(
                "SELECT key FROM kv_default WHERE rowid IN (SELECT docid FROM \""
                    + arrayTable(of: "i") + "\")") == ["d"])
    }

    private func arrayTable(of index: String) throws -> String {
        let name = try fixture.query(
            "SELECT indexTableName FROM indexes WHERE name='\(index)'")
        return ArrayTable.name(ofPlain: name.first ?? "")
    }

    @Test(
        "are refused: names of the indexes that stores make for themselves",
        arguments: ["kv_default_seqs", "kv_.x_conflicts", "KV_default_blobs", "kv_a_expiration"])
    func namesOfStores(name: String) throws {
        try refused(.value(name, on: "a"), "is reserved for an index", .invalidParameter)
    }

    @Test("are rejected for every kind: expressions with another value each time")
    func volatile() throws {
        try refused(.value("i", on: "random()"), "another value")
        try refused(.value("i", on: "a, now_millis()"), "another value")
        try refused(.value("i", on: "count(a)"), "aggregate function")
        try refused(.value("i", on: "a + $b"), "parameter $b")
        try refused(.value("i", on: "RANK(x)"), "cannot be used")
        try refused(.array("i", path: "a", on: "random()"), "another value")
        try refused(
            .predictive("i", on: "PREDICTION('index_echo', {'n': random()}, .n)"), "another value")
    }

    @Test("are rejected for full-text indexes: expressions that are not properties")
    func words() throws {
        for text in ["'a'", "lower(a)", "a || b", "META().id", "_id", "[a]", "1", "*", "a = b"] {
            try refused(.fullText("i", on: .sqlPlusPlus(text)), "can index properties only")
        }
        try refused(.fullText("i", on: "a, a"), "cannot be created")
        for language in ["e n", "", "en\0", "e\"n", "_en", "é", "en,de", "1"] {
            try refused(
                .fullText("i", on: "a", .init(language: language)), "is not a language",
                .invalidParameter
            )
        }
        try refused(
            .fullText("i", on: "a", .init(stopWords: ["x", "y\0"])), "U+0000", .invalidParameter)
        for language in ["en", "en_US", "xx", "english", "zh-Hant", "PT"] {
            #expect(try fixture.create(.fullText("w", on: "a", .init(language: language))))
            try fixture.save(["d": #"{"a":"running dogs"}"#])
            #expect(try fixture.documents("dogs", "w") == ["d"], "\(language)")
            #expect(try fixture.drop("w"))
        }
        let stopWords = [
            "it's", "a\"b", "c,d", "(", ")", "e\nf", "\\", "", "stopwords=en", "running",
        ]
        #expect(try fixture.create(.fullText("w", on: "a", .init(stopWords: stopWords))))
        #expect(try fixture.documents("dogs", "w") == ["d"])
        #expect(try fixture.documents("running", "w") == [])
    }

    @Test("are rejected for array indexes: invalid paths")
    func paths() throws {
        for path in [
            "", "[]", "[].", "a[].", ".a", "a.", "a..b", "a[][]", "a[][].b", "a[].[].b", "a[",
            "a[x]", "a[].b.", "[].a", "a[\"\"]", "$", "a\\.b", "a[].b\\[", "a]",
        ] where path != "a]" {
            try refused(.array("i", path: path), "not a path of arrays", .invalidParameter)
        }
        for path in ["a[]", "a[0]", "a.b[].c", "a b", "order", "é", "a'b", "a\"b", "a[].b[].c[].d"]
        {
            #expect(try fixture.create(.array("r", path: path)), "\(path)")
            try fixture.save(["d": #"{"a":[[1]],"order":[1]}"#])
            #expect(try fixture.names() == ["r"])
            try fixture.file.write { try fixture.people.rebuildIndex("r", in: $0) }
            #expect(try fixture.isSound())
            #expect(try fixture.drop("r"))
        }
        try refused(.array("i", path: "a", on: "META().id"), "not supported for elements")
        try refused(.array("i", path: "a", on: "BLOB(b)"), "not supported for elements")
        try refused(.array("i", path: "a", on: "EXISTS (b)"), "not supported for elements")
    }

    @Test("are rejected for predictive indexes: anything but exactly one prediction")
    func predictions() throws {
        for text in [
            "a", "PREDICTION(a.b, {'n': a}, .n)", "PREDICTION('m', {}), a", "'m'", "[a]",
            "PREDICTION('m', {}).a = 1",
        ] {
            try refused(.predictive("i", on: .sqlPlusPlus(text)), "must be on one prediction")
        }
        try refused(
            .predictive("i", on: "PREDICTION('index_echo', {'n': META().sequence}, .n)"),
            "can use META().id only")
        try refused(.predictive("i", on: "PREDICTION('a\0b', {'n': a}, .n)"), "U+0000")
        #expect(
            try fixture.create(
                .predictive("p", on: "PREDICTION('index_echo', {'n': META().id}, .n)")))
    }

    @Test("can use metadata in an SQLite index, which maintains it")
    func metadata() throws {
        try fixture.create(.value("i", on: "META().sequence, META().id, a", where: "_sequence > 0"))
        try fixture.save(["d": #"{"a":1}"#])
        try fixture.save(["d": #"{"a":2}"#])
        #expect(try fixture.isSound())
        try fixture.create(.value("j", on: "contact._id"))
        #expect(try fixture.text("j")?.hasSuffix("(fl_value(body, 'contact._id'))") == true)
    }
}
