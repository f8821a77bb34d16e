import Testing

/// An index of an array, `byLikes`, some of whose rows have become those of documents that are not
/// there.
struct WrongIndex {
    private let database: SampleDatabase
    private let query: String
    private let rightRows: [String]

    /// Damages the index of a database.
    init(in database: SampleDatabase) throws {
        self.database = database
        let table = try #require(
            try database.rows("SELECT tbl_name FROM sqlite_master WHERE name='byLikes'").first)
        query = "SELECT docid, i FROM \"\(table)\" ORDER BY docid, i"
        rightRows = try database.rows(query)
        // Those of nine documents; no index has this column.
        try database.rows("UPDATE \"\(table)\" SET docid = docid + 1000 WHERE docid < 10")
        #expect(try database.rows(query) != rightRows)
    }

    /// Whether it has the rows again that it had.
    var isRight: Bool { get throws { try database.rows(query) == rightRows } }
}
