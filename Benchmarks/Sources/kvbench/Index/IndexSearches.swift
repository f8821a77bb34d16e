import DocumentStore
import Foundation
@_spi(Measuring) import QueryFunctions
import SQLCore
import SampleData

/// Searches for words, the tokenizer alone, and the cost of registering the functions.
enum IndexSearches {
    static func groups() -> [[Workload]] { [searches, tokens, registrations] }

    private static var searches: [Workload] {
        [
            ("3,891", 3_891, Paragraphs.frequentWord), ("20", 20, Paragraphs.rareWord),
        ].flatMap { text, count, word in
            let name = "index: search of a word in \(text) of 20k texts"
            let baseline = name + ": SQLite, unicode61"
            return [
                search(
                    baseline, .plain,
                    """
                    SELECT texts.id FROM texts JOIN textWords AS w ON w.docid = texts.id
                    WHERE w.text MATCH ?
                    """, word, count),
                search(
                    name, .indexedTexts,
                    #"""
                    SELECT kv.key FROM kv_default AS kv JOIN "kv_default::by\Text" AS w
                    ON w.docid = kv.rowid WHERE w.text MATCH ?
                    """#, word, count
                ).beside(baseline),
                search(
                    name + ", by rank", .indexedTexts,
                    #"""
                    SELECT kv.key FROM kv_default AS kv JOIN "kv_default::by\Text" AS w
                    ON w.docid = kv.rowid WHERE "kv_default::by\Text" MATCH ?
                    ORDER BY rank(matchinfo("kv_default::by\Text")) DESC
                    """#, word, count
                ).beside(baseline),
                engineSearch(name + ", SQL++", "", word, count).beside(baseline),
                engineSearch(name + ", SQL++, by rank", "ORDER BY RANK(byText) DESC", word, count)
                    .beside(baseline),
            ]
        }
    }

    /// A search through the engine, as in a program.
    private static func engineSearch(
        _ name: String, _ order: String, _ word: String, _ expected: Int
    ) -> Workload {
        Workload(name) {
            _ = try IndexFiles.get()
            let path = IndexFiles.path(.indexedTexts)
            let file = try DataFile(path: path, options: StoreData.options(.readWrite))
            let query = try Query("SELECT META().id FROM _ WHERE MATCH(byText, $word) \(order)")
            var prepared = Workload.Prepared(.items(1)) {
                let count = try file.read { snapshot in
                    let rows = try query.rows(in: snapshot, ["word": .string(word)])
                    var count = 0
                    while let row = try rows.next() { count += row[0].string == nil ? 0 : 1 }
                    return count
                }
                return try Recount.require(count, expected, name)
            }
            prepared.path = { path }
            return prepared
        }
    }

    private static func search(
        _ name: String, _ template: IndexFiles.Template, _ sql: String, _ word: String,
        _ expected: Int
    ) -> Workload {
        Workload(name) {
            _ = try IndexFiles.get()
            let path = IndexFiles.path(template)
            let context = try IndexFiles.open(path, hasFunctions: template == .indexedTexts)
            let statement = try context.prepare(sql: sql)
            var prepared = Workload.Prepared(.items(1)) {
                var count = 0
                try statement.bind(word, at: 1)
                while try statement.next() { count += 1 }
                statement.reset()
                return try Recount.require(count, expected, name)
            }
            prepared.path = { path }
            return prepared
        }
    }

    private static var tokens: [Workload] {
        let name = "index: cut texts into words"
        let baseline = name + ": SQLite, unicode61"
        let porter = name + ": SQLite, porter"
        return [
            tokens(baseline, "unicode61"),
            tokens(name, "unicodesn").beside(baseline),
            tokens(porter, "porter"),
            tokens(
                name + ", stop words and stems", #"unicodesn, "stopwords=en", "stemmer=en""#,
                leavesSomeOut: true
            ).beside(porter),
        ]
    }

    private static func tokens(
        _ name: String, _ tokenizer: String, leavesSomeOut: Bool = false
    ) -> Workload {
        Workload(name) {
            let texts = Array(IndexFiles.texts.prefix(2_000))
            let words = texts.reduce(0) { sum, text in
                sum + text.split { !$0.isLetter }.count
            }
            let context = try SQLContext(path: ":memory:")
            try context.registerDocumentFunctions(sharedKeys: SharedKeys())
            try context.exec(sql: "CREATE VIRTUAL TABLE t USING fts3tokenize(\(tokenizer))")
            let statement = try context.prepare(sql: "SELECT count(*) FROM t WHERE input = ?")
            return Workload.Prepared(.bytes(texts.reduce(0) { $0 + $1.utf8.count })) {
                var count = 0
                for text in texts {
                    try statement.bind(text, at: 1)
                    while try statement.next() { count += Int(statement.long(at: 0)) }
                    statement.reset()
                }
                guard leavesSomeOut else { return try Recount.require(count, words, name) }
                // Stop words are a few of them.
                guard count < words, count > words / 2 else {
                    throw BenchmarkError(message: "\(name): \(count) of \(words) words")
                }
                return count
            }
        }
    }

    private static var registrations: [Workload] {
        let baseline = "index: open in memory: SQLite"
        return [
            Workload(baseline) { try opening(hasFunctions: false) { _ in } },
            Workload("index: open in memory, register the functions", baseline: baseline) {
                try opening(hasFunctions: true) {
                    try $0.registerDocumentFunctions(sharedKeys: SharedKeys())
                }
            },
        ]
    }

    private static func opening(
        hasFunctions: Bool, _ body: @escaping (SQLContext) throws -> Void
    ) throws -> Workload.Prepared {
        let context = try SQLContext(path: ":memory:")
        try body(context)
        let isThere = (try? context.selectValue(sql: "SELECT fl_count(NULL, 'a')")) != nil
        guard isThere == hasFunctions else {
            throw BenchmarkError(message: "the functions of documents: \(isThere)")
        }
        return Workload.Prepared(.items(20)) {
            var count = 0
            for _ in 0..<20 {
                let context = try SQLContext(path: ":memory:")
                try body(context)
                try context.close()
                count += 1
            }
            return count
        }
    }
}
