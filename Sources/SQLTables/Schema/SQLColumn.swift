public import SQLCore

/// The declaration of a column. It is also the key of the column's value in a ``SQLRow``, and
/// represents the column in predicates.
///
/// ```swift
/// enum Book {
///     static let id = SQLColumn(name: "ID", type: .long, primaryKey: true)
///     static let isbn = SQLColumn(name: "ISBN", type: .text, unique: true, nullable: false)
///     static let pages = SQLColumn(name: "PAGES", type: .long, defaultValue: .long(0))
///     static let table = SQLTable(name: "BOOK", columns: [id, isbn, pages])
/// }
/// let long = Book.pages.greaterThan(.long(500))
/// let row: SQLRow = [Book.isbn: .text("978-3-16-148410-0")]
/// let isbn = Book.isbn.textValue(in: row)
/// ```
/// Declare each column once, as a `static let`: a row finds it by its identity, without comparing
/// names.
///
/// Copies are cheap; equality compares the declarations. A change of a declaration does not change
/// an existing table: write a migration for it, see <doc:Migrations>.
public struct SQLColumn: Sendable {
    /// The declared properties. A row finds the column by the identity of its declaration, without
    /// comparing names.
    final class Declaration: Sendable {
        let name: String
        let quotedName: String
        let type: SQLType
        let primaryKey: Bool
        let autoincrement: Bool
        let unique: Bool
        let nullable: Bool
        let defaultValue: SQLValue
        let index: SQLIndex?
        let references: SQLForeignKey?
        let generated: SQLGenerated?
        let columnDefinition: String?

        init(
            name: String, type: SQLType, primaryKey: Bool, autoincrement: Bool, unique: Bool,
            nullable: Bool, defaultValue: SQLValue, index: SQLIndex?, references: SQLForeignKey?,
            generated: SQLGenerated?, columnDefinition: String?
        ) {
            self.name = name
            self.quotedName = name.sqlName
            self.type = type
            self.primaryKey = primaryKey
            self.autoincrement = autoincrement
            self.unique = unique
            self.nullable = nullable
            self.defaultValue = defaultValue
            self.index = index
            self.references = references
            self.generated = generated
            self.columnDefinition = columnDefinition
        }
    }

    let declaration: Declaration

    /// Declares a column.
    ///
    /// ```swift
    /// let email = SQLColumn(
    ///     name: "EMAIL", type: .text, unique: true,
    ///     index: SQLIndex(name: "IDX_EMAIL"))
    /// let rating = SQLColumn(
    ///     name: "RATING", type: .real,
    ///     columnDefinition: "REAL CHECK (RATING BETWEEN 0 AND 5)")
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name, without quotes.
    ///   - type: the declared type.
    ///   - primaryKey: whether it is the primary key or, with others, part of it.
    ///   - autoincrement: for a single key of type `long`: SQLite never reuses a key, and an
    ///     instance whose key is 0 is a new one.
    ///   - unique: whether its values must be unique.
    ///   - nullable: false for `NOT NULL`.
    ///   - defaultValue: the value for an inserted row that does not supply one; null for none.
    ///   - index: an index on this column, or one with columns of its own.
    ///   - references: the column of another table to which this one refers.
    ///   - generated: how SQLite computes it, from SQLite 3.31. It is read, but never written: an
    ///     instance has its value once it is fetched or refreshed. It cannot be a key or have a
    ///     default.
    ///   - columnDefinition: replaces everything after the name in `CREATE TABLE`.
    public init(
        name: String, type: SQLType, primaryKey: Bool = false, autoincrement: Bool = false,
        unique: Bool = false, nullable: Bool = true, defaultValue: SQLValue = .null,
        index: SQLIndex? = nil, references: SQLForeignKey? = nil, generated: SQLGenerated? = nil,
        columnDefinition: String? = nil
    ) {
        declaration = Declaration(
            name: name, type: type, primaryKey: primaryKey, autoincrement: autoincrement,
            unique: unique, nullable: nullable, defaultValue: defaultValue, index: index,
            references: references, generated: generated, columnDefinition: columnDefinition)
    }

    /// The name, without quotes.
    public var name: String { declaration.name }
    /// The name in double quotes, with quotes in it doubled, as SQL needs it.
    public var quotedName: String { declaration.quotedName }
    /// The declared type. SQLite converts values to it if that loses nothing, and stores others
    /// unchanged, except in a `STRICT` table.
    public var type: SQLType { declaration.type }
    /// Whether it is the primary key, or part of it. Such columns identify a row for `fetch`,
    /// `update` and `delete`.
    public var primaryKey: Bool { declaration.primaryKey }
    /// Whether a key of 0 stands for a new instance, and keys are never reused.
    public var autoincrement: Bool { declaration.autoincrement }
    /// Whether its values must be unique (default: false). Any number of rows can have null.
    public var unique: Bool { declaration.unique }
    /// Whether it may be null (default: true). If false, writing null fails with a constraint
    /// error.
    public var nullable: Bool { declaration.nullable }
    /// The value for an inserted row that does not supply one; null for none.
    public var defaultValue: SQLValue { declaration.defaultValue }
    /// The index on this column, which is created with its table; nil for none.
    public var index: SQLIndex? { declaration.index }
    /// The column of another table to which this one refers; nil for none. SQLite enforces it only
    /// with `foreignKeysEnabled`.
    public var references: SQLForeignKey? { declaration.references }
    /// How SQLite computes it; nil for an ordinary column.
    public var generated: SQLGenerated? { declaration.generated }
    /// The text that replaces everything after the name in `CREATE TABLE`.
    public var columnDefinition: String? { declaration.columnDefinition }
}

extension SQLColumn: Hashable {
    /// Returns whether both have the same declaration, in all properties.
    public static func == (left: SQLColumn, right: SQLColumn) -> Bool {
        let (a, b) = (left.declaration, right.declaration)
        if a === b { return true }
        return a.name == b.name && a.type == b.type && a.primaryKey == b.primaryKey
            && a.autoincrement == b.autoincrement && a.unique == b.unique
            && a.nullable == b.nullable && a.defaultValue == b.defaultValue && a.index == b.index
            && a.references == b.references && a.generated == b.generated
            && a.columnDefinition == b.columnDefinition
    }

    /// Hashes the name, which is sufficient for the columns of one table.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }
}

extension SQLColumn: CustomStringConvertible {
    /// The quoted name and the type.
    public var description: String { "\(quotedName) \(type.typeName)" }
}
