@_spi(Measuring) import DataFileCore
import FleeceLite
import Foundation
import SQLCore
import SampleData

/// Searches for words, the tokenizer alone, and what it costs to register the functions.
enum IndexSearches {
    static func groups() -> [[Workload]] { [searches, tokens, registrations] }

    private static var searches: [Workload] {
        [
            ("3,891", Texts.frequentWord), ("20", Texts.rareWord),
        ].flatMap { count, word in
            let name = "index: search of a word in \(count) of 20k texts"
            let floor = name + ": SQLite, unicode61"
            return [
                search(
                    floor, .plain,
                    """
                    SELECT texts.id FROM texts JOIN textWords AS w ON w.docid = texts.id
                    WHERE w.text MATCH ?
                    """, word),
                search(
                    name, .indexedTexts,
                    #"""
                    SELECT kv.key FROM kv_default AS kv JOIN "kv_default::by\Text" AS w
                    ON w.docid = kv.rowid WHERE w.text MATCH ?
                    """#, word
                ).beside(floor),
                search(
                    name + ", by rank", .indexedTexts,
                    #"""
                    SELECT kv.key FROM kv_default AS kv JOIN "kv_default::by\Text" AS w
                    ON w.docid = kv.rowid WHERE "kv_default::by\Text" MATCH ?
                    ORDER BY rank(matchinfo("kv_default::by\Text")) DESC
                    """#, word
                ).beside(floor),
            ]
        }
    }

    private static func search(
        _ name: String, _ template: IndexFiles.Template, _ sql: String, _ word: String
    ) -> Workload {
        Workload(name) {
            _ = try IndexFiles.get()
            let context = try IndexFiles.open(
                IndexFiles.path(template), hasFunctions: template == .indexedTexts)
            let statement = try context.prepare(sql: sql)
            return Workload.Prepared(.items(1)) {
                var count = 0
                try statement.bind(word, at: 1)
                while try statement.next() { count += 1 }
                statement.reset()
                guard count == 3_891 || count == 20 else {
                    throw BenchmarkError(message: "\(name): \(count) texts")
                }
                return count
            }
        }
    }

    private static var tokens: [Workload] {
        let name = "index: cut texts into words"
        let floor = name + ": SQLite, unicode61"
        let porter = name + ": SQLite, porter"
        return [
            tokens(floor, "unicode61"),
            tokens(name, "unicodesn").beside(floor),
            tokens(porter, "porter"),
            tokens(
                name + ", stop words and stems", #"unicodesn, "stopwords=en", "stemmer=en""#
            ).beside(porter),
        ]
    }

    private static func tokens(_ name: String, _ tokenizer: String) -> Workload {
        Workload(name) {
            let texts = Array(IndexFiles.texts.prefix(2_000))
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
                return count
            }
        }
    }

    private static var registrations: [Workload] {
        let floor = "index: open in memory: SQLite"
        return [
            Workload(floor) { opening { _ in } },
            Workload("index: open in memory, register the functions", floor: floor) {
                opening { try $0.registerDocumentFunctions(sharedKeys: SharedKeys()) }
            },
        ]
    }

    private static func opening(
        _ body: @escaping (SQLContext) throws -> Void
    ) -> Workload.Prepared {
        Workload.Prepared(.items(20)) {
            for _ in 0..<20 {
                let context = try SQLContext(path: ":memory:")
                try body(context)
                try context.close()
            }
            return 1
        }
    }
}
