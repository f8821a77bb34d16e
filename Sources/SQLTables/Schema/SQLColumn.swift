public import SQLCore

/// The declaration of a column. It is also the key of the column's value in a `SQLRow`, and
/// represents the column in predicates.
///
/// ```swift
/// static let id = SQLColumn(name: "ID", type: .long, primaryKey: true, autoincrement: true)
/// ```
/// Copies are cheap; equality compares the declarations.
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
    /// The name in double quotes.
    public var quotedName: String { declaration.quotedName }
    /// The declared type.
    public var type: SQLType { declaration.type }
    /// Whether it is the primary key, or part of it.
    public var primaryKey: Bool { declaration.primaryKey }
    /// Whether a key of 0 stands for a new instance, and keys are never reused.
    public var autoincrement: Bool { declaration.autoincrement }
    /// Whether its values must be unique.
    public var unique: Bool { declaration.unique }
    /// Whether it may be null.
    public var nullable: Bool { declaration.nullable }
    /// The value for an inserted row that does not supply one; null for none.
    public var defaultValue: SQLValue { declaration.defaultValue }
    /// The index on this column.
    public var index: SQLIndex? { declaration.index }
    /// The column of another table to which this one refers.
    public var references: SQLForeignKey? { declaration.references }
    /// How SQLite computes it; nil for an ordinary column.
    public var generated: SQLGenerated? { declaration.generated }
    /// The text that replaces everything after the name in `CREATE TABLE`.
    public var columnDefinition: String? { declaration.columnDefinition }
}

extension SQLColumn: Hashable {
    /// Returns whether both have the same declaration.
    public static func == (left: SQLColumn, right: SQLColumn) -> Bool {
        let (a, b) = (left.declaration, right.declaration)
        if a === b { return true }
        return a.name == b.name && a.type == b.type && a.primaryKey == b.primaryKey
            && a.autoincrement == b.autoincrement && a.unique == b.unique
            && a.nullable == b.nullable && a.defaultValue == b.defaultValue && a.index == b.index
            && a.references == b.references && a.generated == b.generated
            && a.columnDefinition == b.columnDefinition
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }
}

extension SQLColumn: CustomStringConvertible {
    /// The quoted name and the type.
    public var description: String { "\(quotedName) \(type.typeName)" }
}
