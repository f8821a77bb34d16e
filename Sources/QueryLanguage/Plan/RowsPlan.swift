/// A plan of a query: the tables that it reads, the indexes that serve its conditions, and the SQL
/// of its expressions. Printing it takes no more decisions.
package struct QueryStatementPlan {
    package let rows: RowsPlan
    package let columnNames: [String]
    /// The columns that are document bodies as stored in the file.
    package let bodies: Set<Int>
    /// Whether an additional first column contains the document IDs.
    package let hasKeys: Bool
    /// The checks that must find nothing for the plan to be right.
    package let guards: [PlanGuard]
    /// The search strings of full-text matches.
    package let searches: [SearchText]
}

/// A check that an index has no value whose type is ambiguous: a Boolean and its number are equal
/// there, as are an unsigned integer and a negative one.
package struct PlanGuard: Hashable {
    /// The SQL name of the indexed table.
    let table: String
    let expression: SQLExpression
}

/// The search string of a full-text match.
package enum SearchText: Hashable, Sendable {
    case literal(String)
    case parameter(String)
    case computed
}

/// A plan of rows.
package indirect enum RowsPlan: Hashable {
    case select(SelectPlan)
    /// All columns of a subquery, where SQL does not allow it in parentheses.
    case all(RowsPlan)
    /// Rows of two queries combined, such as `UNION ALL`.
    case combined(String, RowsPlan, RowsPlan)
    /// SQLite has no `INTERSECT ALL` and `EXCEPT ALL`: equal rows are numbered to make them
    /// distinct.
    case counted(String, RowsPlan, RowsPlan, columnCount: Int)
    /// CTEs, by their names, and the query that reads them.
    case with([CTEPlan], RowsPlan)
}

/// `name AS (SELECT …)`
package struct CTEPlan: Hashable {
    let name: String
    let rows: RowsPlan
}

/// A plan of one `SELECT`.
package struct SelectPlan: Hashable {
    var isDistinct = false
    var columns: [ColumnPlan]
    var sources: [SourcePlan]
    /// The conditions, which must all be true; the query's own one comes first.
    var conditions: [SQLExpression] = []
    var groups: [SQLExpression] = []
    /// `HAVING`
    var groupCondition: SQLExpression?
    var order: [SQLOrder] = []
    var limit: SQLExpression?
    var offset: SQLExpression?
}

/// A result column.
package struct ColumnPlan: Hashable {
    let expression: SQLExpression
    /// Its name in SQL, quoted if necessary; nil for none.
    var name: String?
}

/// An item of `FROM`.
package struct SourcePlan: Hashable {
    /// Where the rows come from.
    package enum Table: Hashable {
        /// The live documents of a collection, or the rows of another table, by its SQL name.
        case table(String)
        /// The live documents and the tombstones. Indexes do not cover the rowids of tombstones,
        /// so their rows have none.
        case withTombstones(live: String, tombstones: String, hasExpiration: Bool)
        case rows(RowsPlan)
        /// The rows of a CTE.
        case cte(String)
        /// The elements of an array, by a table function.
        case elements(SQLExpression)
        /// The documents that are nearest to a vector.
        case nearest(NearestPlan)
    }

    /// How a source is joined to those before it.
    package enum Join: String, Hashable {
        case inner = "INNER JOIN"
        case left = "LEFT JOIN"
        case cross = "CROSS JOIN"
        /// The elements of an array of a source before it.
        case elements = "JOIN"
    }

    /// What a source is in the query.
    package enum Title: Hashable {
        case documents(String)
        case rows(String)
        /// Elements of an array, by a table function.
        case elements(String)
        /// The table of an array index.
        case elementTable(String)
        case fullTextIndex(String)
    }

    let table: Table
    /// Nil for the only source of another SELECT's rows.
    let alias: String?
    /// Nil for tables that the query does not name.
    var title: Title?
    /// Nil for the first source.
    var join: Join?
    /// Whether an additional column `c0` tells that a row of an outer join has a match.
    var marksMatches = false
    /// `ON`: conditions that must all be true.
    var conditions: [SQLExpression] = []
}

/// A subquery of a vector index.
package struct NearestPlan: Hashable {
    /// The SQL name of the table.
    let table: String
    /// The name of an index of this project; nil for one of the vector search extension.
    package var ownName: String?
    let vector: SQLExpression
    let probes: Int64?
    /// Nil for all documents.
    let limit: SQLExpression?
    /// The rows whose documents are searched; nil for all documents.
    package var documents: RowsPlan?
}
