internal import SQLCore
internal import StoreFormat

/// What to say when a task needs a function, collation or module that only the program has that
/// made the indexes.
///
/// SQLite reads a row through all expressions of its table's indexes when it rebuilds or compares
/// them: without the functions it can do neither.
enum MissingFunction {
    /// Runs `body`; where a function is missing, throws `.unsupported` and says which indexes are
    /// in the way of what was to be done.
    static func explaining<T>(
        _ task: String, _ context: SQLContext, path: String, _ body: () throws -> T
    ) throws -> T {
        do {
            return try body()
        } catch let error as SQLError {
            guard let name = error.missingName else { throw error }
            let owners = (try? owners(of: name, context)) ?? []
            let list = owners.isEmpty ? "" : " (\(owners.joined(separator: ", ")))"
            throw StoreError(
                .unsupported,
                "\(path) cannot be \(task): its indexes\(list) use \(name), which this version "
                    + "does not have; nothing was changed", underlying: error)
        }
    }

    /// Some of the indexes, tables and triggers whose text has a name in it.
    static func owners(of name: String, _ context: SQLContext) throws -> [String] {
        try context.selectAll(
            sql: "SELECT name FROM sqlite_master WHERE type<>'trigger' AND instr(sql, ?) > 0 "
                + "ORDER BY name LIMIT 5", parameters: [.text(name)]
        ).compactMap(\.first?.textValue)
    }
}
