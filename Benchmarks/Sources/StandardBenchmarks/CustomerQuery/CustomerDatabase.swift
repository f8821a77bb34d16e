/// A database of customers and orders, used by one thread.
package protocol CustomerDatabase: AnyObject {
    /// The rows of a query as text.
    func rows(_ query: CustomerQuery, _ arguments: [CustomerArgument]) throws -> [[String]]
    /// The number of rows and the sum of their columns, without collecting them.
    func sum(_ query: CustomerQuery, _ arguments: [CustomerArgument]) throws -> CustomerSum
    /// Closes the database.
    func close() throws
}

/// The databases of the query workloads, by the names in reports.
package enum CustomerEngine: String, CaseIterable, Sendable {
    /// JSON text in tables, through SQLite's C interface.
    case json = "SQLite JSON1 in C"
    /// The same file and the same SQL, through GRDB.
    case grdb = "GRDB"
    /// Documents of this project, queried in SQL++.
    case documents = "documents"

    /// Creates and fills the database of an existing directory.
    package func create(_ directory: String, _ data: CustomerData) throws {
        switch self {
        case .json, .grdb: try CustomerSQL.create(directory, data)
        case .documents: try CustomerDocuments.create(directory, data)
        }
    }

    /// Opens a database that `create` has filled.
    package func open(_ directory: String) throws -> any CustomerDatabase {
        switch self {
        case .json: try CustomerPlainSQL(directory)
        case .grdb: try CustomerGRDB(directory)
        case .documents: try CustomerDocuments(directory)
        }
    }
}
