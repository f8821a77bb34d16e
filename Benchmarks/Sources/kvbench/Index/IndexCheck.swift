import DocumentStore
import SQLCore
import SampleData

/// The expected contents of an index after its creation or after changes: queried through it, and
/// counted in the data.
struct IndexCheck: Sendable {
    /// The query of a file, in SQL++.
    let query: String
    /// The query of tables with plain columns, in SQL.
    let plain: String
    /// The number of matches among the first people, or texts.
    let expected: @Sendable (_ people: Int) throws -> Int

    private static let (like, street) = ("chess", "acacia")

    static let ofState = IndexCheck(
        query: "SELECT COUNT(*) FROM _ WHERE contact.address.state = '\(QueryFiles.state)'",
        plain: """
            SELECT count(*) FROM plain INDEXED BY i WHERE state = '\(QueryFiles.state)'
            """
    ) { try people($0).count { $0.contact.address.state == QueryFiles.state } }

    static let ofLike = IndexCheck(
        query: "SELECT COUNT(*) FROM _ UNNEST _.likes AS taste WHERE taste = '\(like)'",
        plain: "SELECT count(*) FROM each INDEXED BY byLikes WHERE body = '\(like)'"
    ) { try people($0).count { $0.likes.contains(like) } }

    static let ofStreet = IndexCheck(
        query: "SELECT COUNT(*) FROM _ WHERE MATCH(byStreet, '\(street)')",
        plain: "SELECT count(*) FROM words WHERE street MATCH '\(street)'"
    ) { try people($0).count { $0.contact.address.street.lowercased().contains(street) } }

    static let ofWord = IndexCheck(
        query: "SELECT COUNT(*) FROM _ WHERE MATCH(byText, '\(Paragraphs.rareWord)')",
        plain: "SELECT count(*) FROM w WHERE text MATCH '\(Paragraphs.rareWord)'"
    ) { _ in 20 }

    private static func people(_ count: Int) throws -> ArraySlice<StorePerson> {
        try StoreData.get().persons.prefix(count)
    }

    func require(in file: DataFile, _ name: String, _ people: Int = StoreData.count) throws {
        let found = try file.read { try Query(query).rows(in: $0).next()?[0].int }
        try Recount.require(found.map { Int($0) }, expected(people), name)
    }

    func require(
        in context: SQLContext, _ name: String, _ people: Int = StoreData.count,
        index: String = "i"
    ) throws {
        let sql = plain.replacing(" INDEXED BY i ", with: " INDEXED BY \(index) ")
        let found = try context.selectValue(sql: sql)?.longValue
        try Recount.require(found.map { Int($0) }, expected(people), name)
    }
}
