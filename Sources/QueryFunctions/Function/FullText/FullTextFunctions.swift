internal import SQLCore
internal import StoreFormat
internal import StorePlatform

/// Scores of a full-text match: `rank(matchinfo(t))` and `bm25(matchinfo(t, 'pcnalx'), …)`. Higher
/// is better.
///
/// Without a match, where `matchinfo` is empty, both are 0. A blob of another length is an error.
enum RankFunctions {
    static func register(in context: SQLContext) throws {
        try context.registerRawFunction("rank", argumentCount: 1) {
            RankFunctions.rank(SQLRawCall($0, $1, $2))
        }
        try context.registerRawFunction("bm25") {
            RankFunctions.bm25(SQLRawCall($0, $1, $2))
        }
    }

    private static func rank(_ call: SQLRawCall) {
        call.setScore(sizes: false) { share($0) }
    }

    private static func bm25(_ call: SQLRawCall) {
        guard call.count > 0 else { return call.setError("bm25 needs matchinfo(t, 'pcnalx')") }
        call.setScore(sizes: true) { information in
            bm25(information) { $0 + 1 < call.count ? call.double(at: $0 + 1) : 1 }
        }
    }

    /// The share of this row in all matches, which is LiteCore's rank.
    private static func share(_ information: MatchInformation) -> Double {
        var score = 0.0
        for phrase in 0..<information.phraseCount {
            for column in 0..<information.columnCount {
                let hits = information.hits(phrase: phrase, column: column)
                if hits.here > 0, hits.everywhere > 0 { score += hits.here / hits.everywhere }
            }
        }
        return score
    }

    /// Okapi BM25 with k1 = 1.2 and b = 0.75: rare words count more, repetitions count less and
    /// less, and words in long columns count less. Each column has a weight.
    private static func bm25(
        _ information: MatchInformation, weight: (_ column: Int) -> Double
    ) -> Double {
        let saturation = 1.2
        let lengthShare = 0.75
        var score = 0.0
        for column in 0..<information.columnCount {
            let average = information.averageLength(column: column)
            let length = information.length(column: column)
            let size = 1 - lengthShare + lengthShare * (average > 0 ? length / average : 1)
            var sum = 0.0
            for phrase in 0..<information.phraseCount {
                let hits = information.hits(phrase: phrase, column: column)
                guard hits.here > 0 else { continue }
                let rarity = (max(information.rowCount - hits.rows, 0) + 0.5) / (hits.rows + 0.5)
                sum +=
                    SystemMaths.logarithm(1 + rarity) * hits.here * (saturation + 1)
                    / (hits.here + saturation * size)
            }
            if sum > 0 { score += weight(column) * sum }
        }
        return score
    }
}

extension SQLRawCall {
    /// Sets the result to a score of the match information in the first argument.
    fileprivate func setScore(sizes: Bool, _ score: (MatchInformation) -> Double) {
        let bytes =
            type(at: 0) == .blob ? blob(at: 0) : UnsafeRawBufferPointer(start: nil, count: 0)
        if isNull(at: 0) || type(at: 0) == .blob && bytes.isEmpty { return setResult(0.0) }
        guard let information = MatchInformation(bytes, sizes: sizes) else {
            return setError(
                "not a result of " + (sizes ? "matchinfo(t, 'pcnalx')" : "matchinfo(t)"))
        }
        setResult(score(information))
    }
}

/// The full-text support of a connection: the tokenizer, and functions of matches.
enum FullTextFunctions {
    /// Registers `unicodesn`, `rank`, `bm25` and `fl_highlight`.
    static func register(in context: SQLContext, _ functions: FunctionContext) throws {
        try context.registerRawTokenizer(UnicodeTokenizer.name, UnicodeTokenizer.self)
        try RankFunctions.register(in: context)
        try HighlightFunction.register(in: context, functions)
    }
}

/// `fl_highlight(text, offsets(t), before, after[, column])`: the text of a column, by default the
/// first one, with marks around matching words.
///
/// FTS4's `offsets` gives positions in the original text, so words that were folded or stemmed for
/// the index are marked as written. Positions outside of the text or within a character are
/// ignored, since the text may be newer than the index.
enum HighlightFunction {
    static func register(in context: SQLContext, _ functions: FunctionContext) throws {
        for count in 4...5 {
            try context.registerRawFunction(
                "fl_highlight", argumentCount: count, state: functions
            ) {
                FunctionCall.run($0, $1, $2, HighlightFunction.highlight)
            }
        }
    }

    private static func highlight(_ call: FunctionCall) throws {
        let (functions, call) = (call.functions, call.raw)
        guard !call.isNull(at: 0) else { return call.setNull() }
        let column = call.count > 4 ? call.int64(at: 4) : 0
        let text = call.text(at: 0)
        let words = MatchOffsets(call.text(at: 1)).ranges(column: column, in: text)
        let before = call.text(at: 2)
        let after = call.text(at: 3)
        functions.scratch.removeAll()
        var position = 0
        for word in words {
            functions.scratch.append(
                UnsafeRawBufferPointer(rebasing: text[position..<word.lowerBound]))
            functions.scratch.append(before)
            functions.scratch.append(UnsafeRawBufferPointer(rebasing: text[word]))
            functions.scratch.append(after)
            position = word.upperBound
            try FunctionLimits.requireBytes(functions.scratch.count)
        }
        functions.scratch.append(UnsafeRawBufferPointer(rebasing: text[position...]))
        call.setText(functions.scratch.bytes)
    }
}

/// FTS4's `matchinfo` of a row: 32-bit numbers in native byte order.
struct MatchInformation {
    private let bytes: UnsafeRawBufferPointer

    /// Whether the blob includes the sizes of the columns.
    private let hasSizes: Bool
    let phraseCount: Int
    let columnCount: Int

    /// The number of hits of a phrase in a column.
    struct Hits {
        /// In this row.
        var here: Double
        /// In all rows.
        var everywhere: Double
        /// The number of rows with a hit in the column.
        var rows: Double
    }

    /// Reads `matchinfo(t)`, or `matchinfo(t, 'pcnalx')` if `sizes` are needed; nil if the length
    /// of the blob does not match its content.
    init?(_ bytes: UnsafeRawBufferPointer, sizes: Bool) {
        guard bytes.count >= 8, bytes.count % 4 == 0 else { return nil }
        self.bytes = bytes
        hasSizes = sizes
        phraseCount = Int(bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
        columnCount = Int(bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        let head = sizes ? 3 + 2 * columnCount : 2
        // Both numbers are below 2^32, but three times their product may overflow.
        let (pairs, overflow) = phraseCount.multipliedReportingOverflow(by: columnCount)
        // Phrases without columns would take no bytes, and iterating over them would take hours.
        guard !overflow, pairs <= bytes.count, columnCount > 0 || phraseCount == 0,
            3 * pairs == bytes.count / 4 - head
        else {
            return nil
        }
    }

    private func number(_ index: Int) -> Double {
        Double(bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
    }

    /// The number of rows in the table.
    var rowCount: Double { number(2) }

    /// The average number of tokens in a column.
    func averageLength(column: Int) -> Double { number(3 + column) }

    /// The number of tokens in a column of this row.
    func length(column: Int) -> Double { number(3 + columnCount + column) }

    func hits(phrase: Int, column: Int) -> Hits {
        let head = hasSizes ? 3 + 2 * columnCount : 2
        let first = head + 3 * (phrase * columnCount + column)
        return Hits(here: number(first), everywhere: number(first + 1), rows: number(first + 2))
    }
}
