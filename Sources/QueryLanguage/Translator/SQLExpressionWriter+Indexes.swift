internal import FleeceLite
internal import StoreFormat

// Values of indexes. SQLite takes the value of an index for the same expression anywhere in a
// statement, also within another expression, and that value has lost its subtype. So an
// expression whose type matters is never written exactly as in an index.
extension SQLExpressionWriter {
    /// Writes an indexed expression: exactly as in the index if only the value matters, so that
    /// SQLite finds it there, and in an equivalent form if its type matters.
    ///
    /// Returns false if it is not indexed, or must be composed of its parts.
    mutating func writeIndexed(_ expression: QueryExpression, _ scope: QueryScope) throws -> Bool {
        guard !isHidden, scope.groups == nil, expression.canBeIndexed,
            let slot = try scope.indexedSlot(of: expression, variables)
        else { return false }
        let isTyped = keepsSubtypes && expression.resultType != .plain
        if !isTyped || expression.resultType == .boolean, slot.keepsTypes {
            // `fl_bool` sets the subtype of a Boolean again.
            if isTyped { sql += "fl_bool(" }
            try typed(false) { writer in
                writer.isVerbatim = true
                try writer.write(expression)
                writer.isVerbatim = false
            }
            if isTyped { sql += ")" }
            return true
        }
        guard isTyped else { return false }
        isHidden = true
        defer { isHidden = false }
        try write(expression)
        return true
    }

    /// In the text of an index, records a value whose type matters to the enclosing expression.
    mutating func noteType(of expression: QueryExpression, _ text: String) throws {
        if expression.resultType == .plain { return }
        // The expression of a name has recorded itself.
        if case .scope(let scope) = source, case .property(let path) = expression,
            case .name = try scope.resolution(of: path)
        {
            return
        }
        typedTexts.insert(text)
    }

    /// Document metadata, in a form that no index contains and with the type of its column.
    mutating func writeHidden(_ property: MetaProperty, _ alias: String) {
        switch property {
        case .id: sql += "CAST(\(alias)key AS TEXT)"
        case .sequence: sql += "CAST(\(alias)sequence AS INTEGER)"
        case .expiration: sql += "CAST(\(alias)expiration AS INTEGER)"
        case .rowid: sql += "CAST(\(alias)rowid AS INTEGER)"
        case .deleted: sql += "(+\(alias)flags & 1 != 0)"
        case .revisionID: sql += "fl_version(+\(alias)version)"
        case .all: writeMeta(property, alias)
        }
    }
}

extension QueryExpression {
    /// Whether SQL computes a number although its value is a Boolean.
    var isBooleanWithoutSubtype: Bool {
        switch self {
        case .operation, .quantified, .match: resultType == .boolean
        case .collate(_, let value): value.isBooleanWithoutSubtype
        default: false
        }
    }

    /// Whether it is a property of a document or of another value.
    var isProperty: Bool {
        if case .property(let path) = self { !path.components.isEmpty } else { false }
    }

    /// Whether an index may contain it as a whole, rather than SQLite decomposing it.
    fileprivate var canBeIndexed: Bool {
        switch self {
        case .function, .operation, .nested, .cases, .quantified, .collate, .prediction, .blob: true
        default: false
        }
    }

    /// Whether it contains more expressions than a text of that length can have, or a subquery,
    /// which no index contains. This avoids writing long expressions at each level in search of an
    /// index.
    fileprivate func isLarger(than length: Int) -> Bool {
        var rest = [self]
        var count = 0
        while let expression = rest.popLast() {
            count += 1
            if count > length { return true }
            if case .subquery = expression { return true }
            rest += expression.children
        }
        return false
    }
}

extension QueryFunction {
    /// Whether a value from an index on an argument suffices for it.
    func isBlind(toArgument index: Int, _ argument: QueryExpression) -> Bool {
        argument.isProperty && index < untypedArguments
    }
}

extension QueryScope {
    /// The location of an expression in an index.
    struct IndexedSlot {
        let source: ScopeSource
        /// Its SQL text in the index.
        let text: String
        /// Whether its value is correct even if SQLite takes parts of it from another index.
        let keepsTypes: Bool
    }

    /// Records that a column of a table was written.
    func noteUse(of table: String) {
        usedTables.insert(table)
        outer?.noteUse(of: table)
    }

    /// The tables of this query and of its outer queries, in lower case.
    var tables: [String] {
        sources.map { $0.sql.asciiLowercased } + (outer?.tables ?? [])
    }

    /// Whether some source has value indexes.
    var hasIndexes: Bool {
        sources.contains {
            if case .records(let table) = $0.kind { !table.indexes.isEmpty } else { false }
        }
    }

    /// The source whose indexes contain an expression and can provide its value; nil if there is
    /// none.
    func indexedTable(
        of expression: QueryExpression, _ variables: [(name: String, table: String)] = []
    ) throws -> ScopeSource? {
        guard hasIndexes, let slot = try indexedSlot(of: expression, variables),
            slot.keepsTypes, slot.source.isRecords,
            sources.contains(where: { $0.sql == slot.source.sql })
        else { return nil }
        return slot.source
    }

    /// The location of an expression in an index of a source, of this query or of an outer one.
    func indexedSlot(
        of expression: QueryExpression, _ variables: [(name: String, table: String)]
    ) throws -> IndexedSlot? {
        let sources = visibleSources
        let longest = sources.reduce(0) { max($0, $1.longestIndexed) }
        guard longest > 0, !expression.isLarger(than: longest) else { return nil }
        var writer = SQLExpressionWriter(.scope(self))
        writer.isTextOfIndex = true
        writer.variables = variables
        do {
            try writer.write(expression)
        } catch let error as StoreError where error.has(.invalidQuery) {
            // Errors are reported when the expression is written; indexes contain no aggregates.
            return nil
        }
        guard writer.usedTables.count == 1,
            let source = sources.first(where: { writer.usedTables.contains($0.sql) }),
            source.indexed.contains(writer.sql)
        else { return nil }
        return IndexedSlot(
            source: source, text: writer.sql, keepsTypes: source.keepsTypes(writer.typedTexts))
    }

    /// The sources whose columns are visible to expressions.
    private var visibleSources: [ScopeSource] {
        guard groups == nil else { return [] }
        return sources + (outer?.visibleSources ?? [])
    }
}

extension ScopeSource {
    /// The SQL texts of the indexed expressions.
    fileprivate var indexed: Set<String> {
        switch kind {
        case .records(let table): table.indexes.expressions
        case .indexed(let table, _): table.expressions
        case .elements, .rows: []
        }
    }

    /// The length of the longest of them.
    fileprivate var longestIndexed: Int {
        switch kind {
        case .records(let table): table.indexes.longest
        case .indexed(let table, _): table.longest
        case .elements, .rows: 0
        }
    }

    /// Whether no index contains any of these values, where it would lose its type.
    package func keepsTypes(_ sqlTexts: Set<String>) -> Bool {
        switch kind {
        case .records(let table):
            sqlTexts.isEmpty
                || !table.indexes.hasOthers && sqlTexts.isDisjoint(with: table.indexes.expressions)
        case .indexed(let table, _): table.keepsTypes(sqlTexts)
        case .elements, .rows: true
        }
    }
}

extension QueryIndexes.ElementTable {
    /// Whether none of these values is the element itself or indexed: there it has no type.
    func keepsTypes(_ sqlTexts: Set<String>) -> Bool {
        !sqlTexts.contains("fl_unnested_value(body)") && sqlTexts.isDisjoint(with: expressions)
    }

    /// The length of the longest indexed expression.
    fileprivate var longest: Int { expressions.map(\.utf8.count).max() ?? 0 }
}
