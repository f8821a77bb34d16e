internal import DataFileCore
internal import FleeceLite
internal import QueryLanguage
internal import SQLCore
internal import StorePlatform

/// The texts of queries that were read last, so that a program can write them where it asks.
enum QueryTexts {
    private struct Key: Hashable {
        let text: KeyText
        let language: IndexExpressions.Language
    }

    private static let known = Locked(RecentValues<Key, QueryStatement>(capacity: 256))
    /// A longer text is read each time.
    private static let longestText = 1 << 13

    static func statement(
        _ text: String, _ language: IndexExpressions.Language
    ) throws -> QueryStatement {
        let key = Key(text: KeyText(text), language: language)
        if let statement = known.withLock({ $0.value(key) }) { return statement }
        let statement =
            switch language {
            case .sqlPlusPlus: try SQLPlusPlusParser.statement(text)
            case .json: try QueryJSONReader.statement(text)
            }
        guard text.utf8.count <= longestText else { return statement }
        known.withLock { $0.keep(statement, key) }
        return statement
    }
}
