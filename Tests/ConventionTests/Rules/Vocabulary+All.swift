extension Vocabulary {
    /// Every word that may not come back, by what it is about.
    static let all = values + queries + files + connections + sentences + names

    private static let values = [
        Vocabulary(
            pattern: #"\borders? of (the )?(texts|languages|strings)\b|\bTextOrder"#,
            standard: "collation", example: "the order of texts changes with ICU's version",
            exceptions: [
                Exception(
                    path: "Sources/StoreFormat/Schema/SchemaSQL.swift", line: "\"textOrders\"",
                    reason: "a key that files have"),
                Exception(
                    path: "docs/file-format.md", line: "`textOrders`", reason: "the same key"),
                Exception(
                    path: "Sources/KVToolCore/Output/OutputSchema.swift", line: "`textOrder`",
                    reason: "what schema 2 renamed"),
            ]),
        Vocabulary(
            pattern: #"\btruths?\b"#, standard: "Boolean", example: "a truth in an index is 1"),
        Vocabulary(
            pattern: #"(?<!\bSQL )(?<!\bquery )\btexts\b"#,
            standard: "strings; SQL texts, query texts",
            example: "compares two texts",
            exceptions: [
                Exception(
                    path: "Sources/KVToolCore/Generator", reason: "a kind of generated documents"),
                Exception(
                    path: "Sources/KVToolCommands/Command/GenerateCommand.swift",
                    reason: "the name of that kind on the command line"),
                Exception(
                    path: "docs/kvtool.md", line: "people", reason: "the help of that command"),
            ]),
        Vocabulary(
            pattern: #"\bmoments?\b|(?-i:\w+Moment\b)"#, standard: "timestamp, instant or time",
            example: "the moment of the expiration"),
        Vocabulary(
            pattern: #"\bheirs?\b"#, standard: "a dictionary that inherits from a parent",
            example: "a chain of heirs"),
        Vocabulary(
            pattern: #"\bsought\b"#, standard: "lookup key, or searched for",
            example: "the sought key"),
    ]

    private static let queries = [
        Vocabulary(
            pattern: #"\bquer(y|ies) (inside|around)\b"#, standard: "subquery, outer query",
            example: "a query inside has a scope of its own"),
        Vocabulary(
            pattern: #"\bfunctions? of many rows\b"#, standard: "aggregate function",
            example: "COUNT is a function of many rows"),
        Vocabulary(
            pattern: #"\bcommon tables?\b(?! expression)"#, standard: "CTE",
            example: "a common table of WITH"),
        Vocabulary(
            pattern: #"\btables? of words\b"#, standard: "full-text table",
            example: "the table of words of an index"),
        Vocabulary(
            pattern: #"\bnumbers of columns\b"#, standard: "ordinal position",
            example: "ORDER BY takes numbers of columns"),
        Vocabulary(
            pattern: #"\bkept statements?\b"#, standard: "cached statement",
            example: "a kept statement is bound again"),
        Vocabulary(
            pattern: #"(?-i:SQLPlusPlus)"#, standard: "SQLPP in names, SQL++ in sentences",
            example: "SQLPlusPlusParser"),
    ]

    private static let files = [
        Vocabulary(
            pattern: #"\bfolders?\b|(?-i:\w+Folder\b)"#, standard: "directory",
            example: "a folder beside the database"),
        Vocabulary(
            pattern: #"\bdead\b"#, standard: "tombstone, or deleted", example: "dead documents"),
        Vocabulary(
            pattern: #"\bindex of the (log|WAL)\b"#, standard: "wal-index",
            example: "the index of the log is mapped"),
        Vocabulary(
            pattern: #"\brooms?\b"#, standard: "space", example: "gives room back"),
        Vocabulary(
            pattern: #"\bstray\w*"#, standard: "orphaned, unregistered or misnamed",
            example: "removes stray tables"),
        Vocabulary(
            pattern: #"\bmend(s|ed|ing)?\b|\bputs? (it |them |things )?right\b"#,
            standard: "fix (in place), recover (from a damaged file)",
            example: "--fix puts right what it can"),
        Vocabulary(
            pattern: #"\bmistakes?\b"#, standard: "error, or invalid record",
            example: "a mistake in line 3"),
        Vocabulary(
            pattern: #"\bwithout a trace\b"#, standard: "permanently, leaving no tombstone",
            example: "removes documents without a trace"),
    ]

    private static let connections = [
        Vocabulary(
            pattern: #"\b(hear|hears|heard)\b|\btold (of|about)\b|\bChangeHub\b"#,
            standard: "observe, notify", example: "observers hear of each commit"),
        Vocabulary(
            pattern: #"\bhouse\b|\bhousekeep\w*"#, standard: "maintenance; codebase, conventions",
            example: "keeps house in the background",
            exceptions: [
                Exception(
                    path: "Sources/StoreTestSupport/Indexes/TestIndexes.swift",
                    line: "\"house\"", reason: "a word of a test's documents")
            ]),
        Vocabulary(
            pattern: #"\bPool(Line|Member)\b"#, standard: "ConnectionPool, PooledConnection",
            example: "a PoolLine"),
        Vocabulary(
            pattern: #"\bwanted index(es)?\b"#, standard: "pending index build",
            example: "takes the wanted indexes"),
        Vocabulary(
            pattern: #"\b(whoever|nobody)\b"#,
            standard: "the caller, process, connection or reader that it is",
            example: "whoever holds the lock"),
    ]

    private static let sentences = [
        Vocabulary(
            pattern: #"(?<!\bthere )\b(is|are) no (?!longer\b|more\b|less\b|other\b|older\b)"#,
            standard: "is not a …", example: "the argument is no number"),
        Vocabulary(pattern: #"\banew\b"#, standard: "again, re-", example: "written anew"),
        Vocabulary(
            pattern: #"\bby chance\b"#, standard: "at random", example: "chosen by chance"),
        Vocabulary(
            pattern: #"\bfloors?\b"#, standard: "baseline, lower bound or layer",
            example: "the floor of this work",
            exceptions: [
                Exception(
                    path: "Sources/StoreFormat/Function", line: "floor\"",
                    reason: "the function of SQL++"),
                Exception(
                    path: "Sources/QueryFunctions/Function/Maths", line: "floor\"",
                    reason: "the function of SQL++"),
                Exception(path: "docs/query.md", line: "`floor`", reason: "the function of SQL++"),
            ]),
        Vocabulary(
            pattern: #"\bbounds? (is |are |was )?crossed\b|\bcrosses a bound\b"#,
            standard: "limit exceeded", example: "a bound crossed by the query"),
        Vocabulary(
            pattern: #"\bin the making\b"#, standard: "unfinished, being created",
            example: "a blob in the making"),
        Vocabulary(
            pattern: #"(?-i:\b[A-Z]\w+Place\b)"#,
            standard: "location, position, cursor, destination: what it is",
            example: "struct BlobPlace"),
        Vocabulary(
            pattern: #"\b(stand|stands|wait|waits|waited) in line\b"#, standard: "wait queue",
            example: "callers stand in line"),
        Vocabulary(
            pattern: #"\bvalues( of \w+)? are spread\b"#, standard: "planner statistics",
            example: "finds out how the values of indexes are spread"),
        Vocabulary(
            pattern: #"\bcolumn titles?\b"#, standard: "column names",
            example: "the column titles of a result"),
        Vocabulary(
            pattern: #"\bquestions?\b(?! marks?\b)"#, standard: "query, or prompt",
            example: "answers the same question twice"),
        Vocabulary(
            pattern: #"\bwhat is expected is a value\b"#,
            standard: "expected outcomes are return values, not errors",
            example: "What is expected is a value."),
        Vocabulary(
            pattern: #"\bplant(s|ed)?\b"#, standard: "build, create",
            example: "planted again when it no longer fits"),
        Vocabulary(
            pattern: #"\bunless told\b|\bdocuments, too\."#, standard: "(default); Include …",
            example: "so it is unless told otherwise"),
        Vocabulary(
            pattern: #"\bspec §"#, standard: "a link into docs/", example: "(spec §7.1)"),
        Vocabulary(
            pattern: #"\btid(y|ied|ies)\b"#, standard: "conventions, lint rules",
            example: "tidy tests"),
    ]

    /// Names of types and members; the words in them are too short to be found alone.
    private static let names = [
        Vocabulary(
            pattern:
                #"(?-i:\bLog(File|Layout|Policy|Index|Checksum)\b|\blog(Bytes|WarningPages)\b)"#,
            standard: "WALFile, WALLayout, CheckpointPolicy, walBytes …",
            example: "the property logBytes",
            exceptions: [
                Exception(
                    path: "Sources/KVToolCore/Output/OutputSchema.swift", line: "`logBytes`",
                    reason: "what schema 2 renamed")
            ]),
        Vocabulary(
            pattern: #"(?-i:\bis(InDeadTable|Dead)\b)"#, standard: "isTombstone",
            example: "isDead"),
        Vocabulary(
            pattern: #"(?-i:\b(SoughtKey|KeyHints|WrittenStrings)\b)"#,
            standard: "LookupKey, InlineKeyCache, StringTable", example: "a SoughtKey"),
        Vocabulary(
            pattern: #"(?-i:\b(Answer(Object|List)|ImportMistake|AskingArguments)\b)"#,
            standard: "ResponseObject, ImportError, QueryOptions", example: "an AnswerObject"),
        Vocabulary(
            pattern: #"(?-i:\b(WantedIndex|takeWanted|keepHouse)\b)"#,
            standard: "PendingIndexBuild, takePending, runMaintenance",
            example: "takeWanted()"),
        Vocabulary(
            pattern: #"(?-i:\bOpenWord\b)"#, standard: "OpenEnumeration",
            example: "a struct that is an OpenWord"),
        Vocabulary(
            pattern: #"(?-i:\b(kept)?Brackets\b)"#, standard: "TransactionStatements",
            example: "final class Brackets"),
    ]
}
