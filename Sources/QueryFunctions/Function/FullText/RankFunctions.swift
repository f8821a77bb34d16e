internal import SQLCore
internal import StoreFormat
internal import StorePlatform

/// How well a row matches a query: `rank(matchinfo(t))` and `bm25(matchinfo(t, 'pcnalx'), …)`.
/// The better, the higher.
///
/// Without matches, where `matchinfo` is empty, both are 0. Another length is an error.
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

    /// The share of this row in all matches, as LiteCore ranks (spec §7.4).
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

    /// Okapi BM25 with k1 = 1.2 and b = 0.75: rare words count more, repetitions less and less, and
    /// words of long texts less. Each column has a weight.
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
    /// The result is a score of the match information in the first argument.
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
