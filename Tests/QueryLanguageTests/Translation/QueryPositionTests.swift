import QueryLanguage
import StoreFormat
import Testing

/// A query with an error of meaning, and where and what that error is.
struct LocatedError: CustomTestStringConvertible, Sendable {
    let query: String
    /// `line:column`
    let position: String
    let reason: String

    init(_ query: String, at position: String, _ reason: String) {
        (self.query, self.position, self.reason) = (query, position, reason)
    }

    var testDescription: String { query }
}

@Suite("An error of meaning in a query")
struct QueryPositionTests {
    /// The error of a query, without and with its position.
    private func errors(_ text: String) throws -> (bare: StoreError, located: StoreError) {
        let statement = try SQLPPParser.statement(text)
        let (options, catalog) = (TranslationOptions(), PlanCatalog())
        let bare = try #require(
            #expect(throws: StoreError.self, "\(text)") {
                try QueryTranslation(statement.selection, options, catalog)
            })
        let located = QueryText(text).located(bare, options, catalog)
        return (bare, try #require(located as? StoreError))
    }

    @Test(
        "has the position of what is wrong",
        arguments: LocatedError.names + LocatedError.sources + LocatedError.subqueries
            + LocatedError.aggregates + LocatedError.columns + LocatedError.definitions
            + LocatedError.plans)
    func positions(expected: LocatedError) throws {
        let (bare, located) = try errors(expected.query)
        #expect(bare.message == expected.reason && bare.underlying == nil)
        let error = try #require(located.underlying as? QuerySemanticError)
        #expect("\(error.line):\(error.column)" == expected.position)
        #expect(error.reason == expected.reason)
        #expect(error.description.hasPrefix("line \(error.line), column \(error.column): "))
        #expect(located.message == error.description)
        #expect(located.code == bare.code && located.domain == bare.domain)
    }

    @Test("is the query's if it is not that of a part")
    func whole() throws {
        let definitions = (1...15).map { "a\($0) = a\($0 - 1) || a\($0 - 1)" }
        let text =
            "-- long\n SELECT a15 FROM people LET a0 = email, "
            + definitions.joined(separator: ", ")
        let error = try errors(text).located
        #expect(error.message.contains("the query is too long once its names are replaced"))
        let position = try #require(error.underlying as? QuerySemanticError)
        #expect((position.line, position.column) == (2, 2))
    }

    @Test("has no position if the query is right by then, or has another error")
    func changed() throws {
        let text = "SELECT * FROM persons"
        let error = try errors(text).bare
        let options = TranslationOptions()
        for catalog in [ChangedCatalog(), ChangedCatalog(CancellationError())] {
            let same = QueryText(text).located(error, options, catalog) as? StoreError
            #expect(same?.message == error.message)
            #expect(same?.underlying == nil)
        }
        let ended = QueryText(text).located(CancellationError(), options, PlanCatalog())
        #expect(ended is CancellationError)
    }

    @Test("counts lines and columns as an error of syntax does")
    func columns() throws {
        let text = "SELECT 'é👩‍👩‍👧',\r\n\t`日本`, x"
        let syntax = #expect(throws: StoreError.self) { try SQLPPParser.statement("\(text).") }
        let end = try #require(syntax?.underlying as? QuerySyntaxError)
        let meaning = try errors("\(text) FROM people AS p JOIN orders AS o ON TRUE").located
        let name = try #require(meaning.underlying as? QuerySemanticError)
        // The first unknown name is the one in back quotes, and the text ends after the dot.
        #expect((name.line, name.column) == (2, 2))
        #expect((end.line, end.column) == (2, 10))
    }
}

/// A catalog in which every collection exists by now, or fails otherwise.
private final class ChangedCatalog: QueryCatalog {
    private let error: (any Error)?

    init(_ error: (any Error)? = nil) {
        self.error = error
    }

    func defaultTable() throws -> QueryTable {
        if let error { throw error }
        return try PlanCatalog().defaultTable()
    }

    func table(_ name: QueryCollectionName) throws -> QueryTable { try defaultTable() }
}

@Suite("A statement with positions")
struct StatementPositionTests {
    /// The SQL of a statement, or the error of translating it.
    private func translation(
        _ statement: QueryStatement, _ origins: QueryOrigins? = nil
    ) -> Result<String, any Error> {
        Result {
            try QueryTranslation(
                statement.selection, TranslationOptions(), PlanCatalog(), origins
            ).sql
        }
    }

    /// Expects the same translation as without positions.
    private func expectSame(_ text: String) throws {
        let plain = translation(try SQLPPParser.statement(text))
        let located = translation(
            try SQLPPParser.statement(text, hasPositions: true), QueryOrigins())
        switch (plain, located) {
        case (.success(let one), .success(let other)): #expect(one == other, "\(text)")
        case (.failure(let error as StoreError), .failure(let other as StoreError)):
            #expect(error.message == other.message, "\(text)")
            let found = QueryText(text).located(error, TranslationOptions(), PlanCatalog())
            #expect((found as? StoreError)?.underlying is QuerySemanticError, "\(text)")
        default: Issue.record("\(plain) and \(located): \(text)")
        }
    }

    @Test("is translated to the same SQL", arguments: GoldenPlan.all)
    func plans(golden: GoldenPlan) throws { try expectSame(golden.query) }

    @Test("has the same error", arguments: 0..<20)
    func random(seed: UInt64) throws {
        var statements = StatementGenerator(seed: seed)
        for _ in 0..<100 { try expectSame(SQLPPWriter.text(statements.next())) }
    }
}
