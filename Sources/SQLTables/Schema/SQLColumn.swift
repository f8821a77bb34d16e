public import SQLCore

/// The declaration of a column. It is also the key to the column's value in a `SQLRow`, and stands
/// for the column in predicates.
///
/// ```swift
/// static let id = SQLColumn(name: "ID", type: .long, primaryKey: true, autoincrement: true)
/// ```
/// Copies are cheap; equality compares what was declared.
public struct SQLColumn: Sendable {
    /// What was declared. Its identity is how a row finds the column without comparing names.
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
    ///   - name: as it is, without quotes.
    ///   - type: the declared type.
    ///   - primaryKey: whether it is the key or, with others, part of it.
    ///   - autoincrement: with a single key of type `long`: SQLite never gives out a key again,
    ///     and an instance whose key is 0 is a new one.
    ///   - unique: whether no two rows may have the same value.
    ///   - nullable: false for `NOT NULL`.
    ///   - defaultValue: what an inserted row gets that says nothing; null for none.
    ///   - index: an index on this column, or one whose own columns are given.
    ///   - references: the column of another table that this one points to.
    ///   - generated: how SQLite computes it, from SQLite 3.31. It is read, but never written: an
    ///     instance has its value once it is fetched or refreshed. It cannot be a key or have a
    ///     default.
    ///   - columnDefinition: replaces all that follows the name in `CREATE TABLE`.
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
    /// Whether a key of 0 stands for a new instance, and keys are never given out again.
    public var autoincrement: Bool { declaration.autoincrement }
    /// Whether no two rows may have the same value.
    public var unique: Bool { declaration.unique }
    /// Whether it may be null.
    public var nullable: Bool { declaration.nullable }
    /// What an inserted row gets that says nothing; null for none.
    public var defaultValue: SQLValue { declaration.defaultValue }
    /// The index on it.
    public var index: SQLIndex? { declaration.index }
    /// The column of another table that it points to.
    public var references: SQLForeignKey? { declaration.references }
    /// How SQLite computes it; nil for a column that is written.
    public var generated: SQLGenerated? { declaration.generated }
    /// What replaces all that follows the name in `CREATE TABLE`.
    public var columnDefinition: String? { declaration.columnDefinition }
}

extension SQLColumn: Hashable {
    /// Whether both are declared alike.
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
