internal import SQLCore

/// The documents as JSON in plain tables, which are queried with SQLite's own functions.
package final class JSONModel {
    private let context: SQLContext

    /// A query that cannot be expressed in plain SQL over JSON.
    package struct NotExpressible: Error, CustomStringConvertible {
        package let description: String

        init(_ description: String) { self.description = description }
    }

    package init(_ documents: [String: [ModelDocument]]) throws {
        context = try SQLContext()
        for (name, documents) in documents {
            let table = Self.table(name)
            try context.exec(sql: "CREATE TABLE \(table) (id, seq, j)")
            for document in documents {
                try context.exec(
                    sql: "INSERT INTO \(table) VALUES (?, ?, ?)",
                    parameters: [
                        .text(document.id), .long(document.sequence),
                        .text(document.body.json(isSigned: true)),
                    ])
            }
        }
        try context.exec(sql: "PRAGMA case_sensitive_like = 1")
    }

    /// `"shop.orders"`
    static func table(_ name: String) -> String { "\"\(name)\"" }

    package func rows(_ sql: String) throws -> [[ModelValue]] {
        let statement = try context.prepare(sql: sql)
        defer { statement.close() }
        var rows: [[ModelValue]] = []
        while let values = try statement.nextValues() {
            rows.append(
                values.map { value in
                    switch value {
                    case .null: .missing
                    case .long(let number): .integer(number)
                    case .real(let number): .real(number)
                    case .text(let text): .text(text)
                    case .blob(let bytes):
                        // Arrays and dictionaries are represented by their JSON.
                        bytes.isEmpty ? .null : .data(Array(bytes))
                    }
                })
        }
        return rows
    }
}

extension ModelValue {
    /// The value as in rows over JSON: Booleans are numbers, arrays and dictionaries the bytes of
    /// their JSON.
    package var overJSON: ModelValue {
        switch self {
        case .boolean, .unsigned:
            if case .integer(let number) = plainNumber { .integer(number) } else { self }
        case .array, .object: .data(Array(json(isSigned: true).utf8))
        default: self
        }
    }
}
