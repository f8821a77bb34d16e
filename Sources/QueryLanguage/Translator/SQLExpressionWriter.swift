internal import FleeceLite
internal import StoreFormat

/// Writes an expression as SQL, exactly as LiteCore does: SQLite uses an index only for an
/// identical expression, and LiteCore recreates an index whose text differs from its own.
package struct SQLExpressionWriter {
    /// Where the properties come from.
    package enum Source {
        /// The bodies of a table of records, with an alias followed by a dot, or without one.
        case records(alias: String)
        /// The elements of an array, in a table of their own.
        case elements
        /// The sources of a query.
        case scope(QueryScope)
    }

    var source: Source
    package var sql = ""
    /// The precedence of the enclosing operator.
    var precedence = 0
    /// The collation of the next comparison.
    var collation: QueryCollation?
    /// Whether `true` must differ from 1: index values have lost their subtypes.
    var wantsType = false
    /// Whether the bytes of collections matter, since they are compared with others.
    var wantsForm = false
    /// Whether the comparison that is being written may compare two collections.
    var comparesCollections = false
    /// Whether nothing may match an index expression, from which SQLite would take the value.
    var isHidden = false
    /// In the text of an index, the subexpressions whose types matter.
    package var typedTexts: Set<String> = []
    /// Whether it is written as in an index, without table aliases.
    package var isTextOfIndex = false
    /// Whether it is written exactly as an index has it.
    var isVerbatim = false
    /// Whether aggregate functions are allowed here, and whether window functions are.
    var allowsAggregates = false
    var allowsWindows = false
    /// The tables whose columns were written.
    package var usedTables: Set<String> = []
    /// The variables of the enclosing `ANY` and `EVERY`, each with its table.
    var variables: [(name: String, table: String)] = []

    package init(_ source: Source) {
        self.source = source
    }

    /// The SQL of an expression of a query; nil for one that has no SQL outside of groups.
    static func sqlOfAny(_ expression: QueryExpression, _ scope: QueryScope) throws -> String? {
        do {
            return try sql(expression, .scope(scope))
        } catch let error as StoreError where error.has(.invalidQuery) {
            return nil
        }
    }

    /// The SQL of one expression.
    ///
    /// - Throws: `.invalidQuery` for an expression that is not allowed here.
    package static func sql(_ expression: QueryExpression, _ source: Source) throws -> String {
        var writer = SQLExpressionWriter(source)
        try writer.write(expression)
        guard !writer.sql.utf8.contains(0) else {
            throw StoreError.invalidQuery("a name in an expression cannot contain U+0000")
        }
        return writer.sql
    }

    package mutating func write(_ expression: QueryExpression) throws {
        guard isTextOfIndex, wantsType else { return try writeValue(expression) }
        let start = sql.utf8.count
        try writeValue(expression)
        try noteType(of: expression, String(sql.utf8.dropFirst(start)) ?? "")
    }

    private mutating func writeValue(_ expression: QueryExpression) throws {
        if case .scope(let scope) = source, try write(expression, in: scope) { return }
        switch expression {
        case .literal(let literal): try write(literal)
        case .array(let elements): try call("array_of", elements)
        case .dictionary(let entries): try call("dict_of", Self.arguments(entries))
        case .property(let path): try property(path)
        case .variable(let name, let path): try variable(name, path)
        case .parameter(let name): parameter(name)
        case .nested(let value, let path):
            try call("fl_nested_value", [value, .string(path.description)])
        case .meta(let property, let source): try meta(property, source)
        case .operation(let known, let operands): try operation(known, operands)
        case .function(let name, let arguments): try function(name, arguments)
        case .collate(let order, let value): try collate(order, value)
        case .cases(let subject, let branches, let otherwise):
            try cases(subject, branches, otherwise)
        case .quantified(let quantifier): try quantified(quantifier)
        case .prediction(let model, let input, let property):
            try prediction(model, input, property)
        case .blob(let path): try accessor("fl_blob", path)
        case .call(let call): try self.call(call)
        case .subquery(let query): try subquery(query)
        case .match(let index, let words): try match(index, words)
        case .rank(let index): try rank(index)
        }
    }

    private static func arguments(_ entries: [QueryDictionaryEntry]) -> [QueryExpression] {
        entries.sortedByKey.flatMap { [.string($0.key), $0.value] }
    }
}

// Values.
extension SQLExpressionWriter {
    private mutating func write(_ literal: QueryLiteral) throws {
        switch literal {
        case .missing: sql += "NULL"
        case .null: sql += "fl_null()"
        case .boolean(let bool): sql += bool ? "fl_bool(1)" : "fl_bool(0)"
        case .integer(let number): sql += "\(number)"
        // SQL has no unsigned integers: in an index it uses the nearest double.
        case .unsigned(let number):
            if case .scope = source {
                sql += "fl_unsigned(\(Int64(bitPattern: number)))"
            } else {
                sql += "\(number)"
            }
        case .real(let number): sql += "\(number)"
        case .string(let text): try self.text(text)
        }
    }

    mutating func text(_ text: String) throws {
        guard !text.utf8.contains(0) else {
            throw StoreError.invalidQuery("a string in an expression cannot contain U+0000")
        }
        sql += text.sqlLiteral
    }

    /// Calls an SQL function.
    mutating func call(_ name: String, _ arguments: [QueryExpression]) throws {
        sql += name + "("
        try typed { try $0.list(arguments) }
        sql += ")"
    }

    /// Writes an expression that must keep its subtype.
    mutating func typed(
        _ wantsType: Bool = true, _ body: (inout SQLExpressionWriter) throws -> Void
    ) rethrows {
        let outer = self.wantsType
        self.wantsType = wantsType
        try body(&self)
        self.wantsType = outer
    }

    /// Whether a value is written with its subtype.
    var keepsSubtypes: Bool { wantsType && !isTextOfIndex && !isVerbatim }

    mutating func list(_ expressions: [QueryExpression]) throws {
        for (index, expression) in expressions.enumerated() {
            if index > 0 { sql += ", " }
            try within(0) { try $0.write(expression) }
        }
    }

    /// Writes an operand of an operator with this precedence.
    mutating func within(
        _ inner: Int, _ body: (inout SQLExpressionWriter) throws -> Void
    ) rethrows {
        let outer = precedence
        precedence = inner
        try body(&self)
        precedence = outer
    }

    /// Writes an operator, in parentheses if the enclosing operator has at least its precedence.
    mutating func operation(
        _ own: Int, _ body: (inout SQLExpressionWriter) throws -> Void
    ) rethrows {
        let needsParentheses = own <= precedence
        if needsParentheses { sql += "(" }
        try within(own, body)
        if needsParentheses { sql += ")" }
    }
}

// Properties.
extension SQLExpressionWriter {
    private var alias: String {
        if case .records(let alias) = source { alias } else { "" }
    }

    private mutating func property(_ path: PropertyPath) throws {
        if case .scope(let scope) = source { return try property(path, in: scope) }
        guard !path.components.isEmpty else {
            if case .elements = source { return sql += "fl_unnested_value(body)" }
            return sql += "fl_root(\(alias)body)"
        }
        try accessor("fl_value", path)
    }

    /// A function of a property of the document or of the element.
    mutating func accessor(_ name: String, _ path: PropertyPath) throws {
        try requirePath(path)
        if case .scope(let scope) = source { return try accessor(name, path, in: scope) }
        if case .elements = source {
            guard name == "fl_value" else {
                throw StoreError.invalidQuery("\(name) is not supported for elements of arrays")
            }
            sql += "fl_unnested_value(body, "
        } else {
            sql += "\(name)(\(alias)body, "
        }
        try text(path.description)
        sql += ")"
    }

    func requirePath(_ path: PropertyPath) throws {
        for case .key(let key) in path.components where key.isEmpty {
            throw StoreError.invalidQuery("a path with an empty name has no meaning here")
        }
    }

    private mutating func meta(_ property: MetaProperty, _ owner: String?) throws {
        if case .scope(let scope) = source { return try meta(property, owner, in: scope) }
        guard property.isKnown(ofSource: owner) else {
            guard let owner, property != .all else {
                throw StoreError.invalidQuery("META() names an unknown source")
            }
            // `contact._id` is a property unless a source has that name.
            return try self.property(PropertyPath([.key(owner), .key(property.shortName)]))
        }
        guard case .records(let alias) = source else {
            throw StoreError.invalidQuery("META() is not supported for elements of arrays")
        }
        writeMeta(property, alias)
    }

    /// Document metadata from the columns of its row.
    mutating func writeMeta(_ property: MetaProperty, _ alias: String) {
        switch property {
        case .id: sql += alias + "key"
        case .sequence: sql += alias + "sequence"
        case .deleted: sql += "(\(alias)flags & 1 != 0)"
        case .expiration: sql += alias + "expiration"
        case .revisionID: sql += "fl_version(\(alias)version)"
        case .rowid: sql += alias + "rowid"
        case .all:
            sql +=
                "dict_of('id', \(alias)key, 'sequence', \(alias)sequence, "
                + "'deleted', (\(alias)flags & 1 != 0), 'expiration', \(alias)expiration, "
                + "'revisionID', fl_version(\(alias)version))"
        }
    }

    private mutating func variable(_ name: String, _ path: PropertyPath) throws {
        guard let table = table(ofVariable: name) else {
            throw StoreError.invalidQuery("there is no variable \(name) here")
        }
        if path.components.isEmpty { return sql += table + ".value" }
        sql += "fl_nested_value(\(table).body, "
        try text(path.description)
        sql += ")"
    }
}

// Arrays.
extension SQLExpressionWriter {
    private mutating func quantified(_ quantifier: QueryQuantifier) throws {
        let condition = quantifier.condition
        if quantifier.kind == .any, case .operation(.equal, let operands) = condition,
            operands.count == 2, operands[0] == .variable(quantifier.variable, PropertyPath([])),
            !operands[1].uses(variable: quantifier.variable), collation == nil || !isFree
        {
            return try contains(quantifier.collection, operands[1])
        }
        let takesAggregates = allowsAggregates
        allowsAggregates = false
        defer { allowsAggregates = takesAggregates }
        let isAll = quantifier.kind != .any
        if quantifier.kind == .anyAndEvery {
            sql += "("
            try count(quantifier.collection)
            sql += " > 0 AND "
        }
        // SQL's NOT would absorb a following operator into its operand.
        let isAmbiguous = quantifier.kind == .every && precedence > 2
        if isAmbiguous { sql += "(" }
        defer { if isAmbiguous { sql += ")" } }
        sql += isAll ? "NOT EXISTS (SELECT 1 FROM " : "EXISTS (SELECT 1 FROM "
        // A single value that is not a collection is its own element, with its type.
        try typed { try $0.collectionCall("fl_each", quantifier.collection) }
        let table = newTable(ofVariable: quantifier.variable)
        sql += " AS \(table) WHERE "
        variables.append((quantifier.variable, table))
        defer { variables.removeLast() }
        try typed(false) { writer in
            try writer.within(0) {
                try $0.write(isAll ? .operation(.not, [condition]) : condition)
            }
        }
        sql += ")"
        if quantifier.kind == .anyAndEvery { sql += ")" }
    }

    private mutating func count(_ collection: QueryExpression) throws {
        if case .property(let path) = collection, !path.components.isEmpty {
            var arguments = self
            arguments.sql = ""
            if try arguments.collectionArguments(collection) {
                return sql += "fl_count(\(arguments.sql))"
            }
        }
        guard case .scope = source else { return try call("array_count", [collection]) }
        // The same for a value: missing if it is not a collection.
        try call("fl_count", [collection, .string("")])
    }

    private mutating func contains(
        _ collection: QueryExpression, _ value: QueryExpression
    ) throws {
        sql += "fl_contains("
        try typed { writer in
            let hasPath = try writer.collectionArguments(collection)
            writer.sql += hasPath ? ", " : ", NULL, "
            try writer.within(0) { try $0.write(value) }
        }
        sql += ")"
    }

    /// A function of a collection: a property by its path, or any other value.
    mutating func collectionCall(_ name: String, _ collection: QueryExpression) throws {
        sql += name + "("
        try collectionArguments(collection)
        sql += ")"
    }

    /// Returns whether the arguments include a path: a property of a document has one.
    @discardableResult
    private mutating func collectionArguments(_ collection: QueryExpression) throws -> Bool {
        switch (source, collection) {
        case (.scope(let scope), .property(let path)):
            return try collectionArguments(path, in: scope)
        case (.records(let alias), .property(let path)) where !path.components.isEmpty:
            try requirePath(path)
            return try bodyArguments(alias + "body", path)
        case (_, .variable(let name, let path)):
            guard let table = table(ofVariable: name) else { break }
            return try bodyArguments(table + ".body", path)
        default: break
        }
        try within(0) { try $0.write(collection) }
        return false
    }

    mutating func bodyArguments(_ body: String, _ path: PropertyPath) throws -> Bool {
        sql += body
        guard !path.components.isEmpty else { return false }
        sql += ", "
        try text(path.description)
        return true
    }

    private func table(ofVariable name: String) -> String? {
        variables.last { $0.name == name }?.table
    }

    /// SQL names are case-insensitive: within `x`, the variable `X` needs another table name.
    private func newTable(ofVariable name: String) -> String {
        var taken = variables.map { $0.table.asciiLowercased }
        if case .scope(let scope) = source { taken += scope.tables }
        var table = "_" + name
        while taken.contains(table.sqlIdentifier.asciiLowercased) { table += "_" }
        return table.sqlIdentifier
    }
}

extension QueryExpression {
    /// Whether it uses a variable.
    func uses(variable: String) -> Bool {
        var found = false
        visit { if case .variable(variable, _) = $0 { found = true } }
        return found
    }
}
