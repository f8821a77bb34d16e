internal import FleeceLite
internal import StoreFormat

// What an index has. SQLite puts the value of an index in the place of the same expression anywhere
// in a statement, also inside of another one, and that value has lost the mark of its type. So an
// expression whose type matters is never written in the words of an index.
extension SQLExpressionWriter {
    /// Writes an expression that stands in an index: in its words where the value alone matters, so
    /// that SQLite finds it there, and in other words where the type does.
    ///
    /// Returns false if it stands in none, or has to be written of its parts.
    mutating func writeIndexed(_ expression: QueryExpression, _ scope: QueryScope) throws -> Bool {
        guard !isHidden, scope.groups == nil, expression.canBeIndexed,
            let place = try scope.place(ofIndexed: expression, variables)
        else { return false }
        let isTyped = marksTypes && expression.resultType != .plain
        if !isTyped || expression.resultType == .boolean, place.keepsTypes {
            // A Boolean is marked again.
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

    /// In the text of an index, notes a value whose type matters to what is around it.
    mutating func noteType(of expression: QueryExpression, _ text: String) throws {
        if expression.resultType == .plain { return }
        // What a name stands for has noted itself.
        if case .scope(let scope) = source, case .property(let path) = expression,
            case .name = try scope.place(of: path)
        {
            return
        }
        typedTexts.insert(text)
    }

    /// What is known of a document, in the words of no index and with the type of its column.
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
    /// Whether SQL computes it as a number, though it is a Boolean.
    var isUnmarkedBoolean: Bool {
        switch self {
        case .operation, .quantified, .match: resultType == .boolean
        case .collate(_, let value): value.isUnmarkedBoolean
        default: false
        }
    }

    /// Whether it is a property, of a document or of something else.
    var isProperty: Bool {
        if case .property(let path) = self { !path.components.isEmpty } else { false }
    }

    /// Whether an index may have it as a whole: not what SQLite takes apart, or has no name for.
    fileprivate var canBeIndexed: Bool {
        switch self {
        case .function, .operation, .nested, .cases, .quantified, .collate, .prediction, .blob: true
        default: false
        }
    }

    /// Whether it is made of more expressions than a text of that length can be, or of queries,
    /// which stand in no index; so that what is long is not written for nothing at each level.
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
    /// Whether an index of an argument can be read for it.
    func isBlind(toArgument index: Int, _ argument: QueryExpression) -> Bool {
        argument.isProperty && index < untypedArguments
    }
}

extension QueryScope {
    /// Where an expression stands in an index.
    struct IndexedSlot {
        let source: ScopeSource
        /// Its SQL text there.
        let text: String
        /// Whether its value is right also if SQLite takes parts of it from another index.
        let keepsTypes: Bool
    }

    /// Notes that a column of a table was written.
    func noteUse(of table: String) {
        usedTables.insert(table)
        outer?.noteUse(of: table)
    }

    /// The tables of this query and of those around it, in lower case.
    var tables: [String] {
        sources.map { $0.sql.asciiLowercased } + (outer?.tables ?? [])
    }

    /// Whether some source has value indexes.
    var hasIndexes: Bool {
        sources.contains {
            if case .records(let table) = $0.kind { !table.indexes.isEmpty } else { false }
        }
    }

    /// The source in whose indexes an expression stands, if its value can be taken from there; nil
    /// if there is none.
    func indexedTable(
        of expression: QueryExpression, _ variables: [(name: String, table: String)] = []
    ) throws -> ScopeSource? {
        guard hasIndexes, let place = try place(ofIndexed: expression, variables),
            place.keepsTypes, place.source.isRecords,
            sources.contains(where: { $0.sql == place.source.sql })
        else { return nil }
        return place.source
    }

    /// Where an expression stands in an index of a source, of this query or of one around.
    func place(
        ofIndexed expression: QueryExpression, _ variables: [(name: String, table: String)]
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
            // What is wrong is said when it is written; aggregate functions stand in no index.
            return nil
        }
        guard writer.usedTables.count == 1,
            let source = sources.first(where: { writer.usedTables.contains($0.sql) }),
            source.indexed.contains(writer.sql)
        else { return nil }
        return IndexedSlot(
            source: source, text: writer.sql, keepsTypes: source.keepsTypes(writer.typedTexts))
    }

    /// The sources whose columns expressions can name.
    private var visibleSources: [ScopeSource] {
        guard groups == nil else { return [] }
        return sources + (outer?.visibleSources ?? [])
    }
}

extension ScopeSource {
    /// The SQL texts of what stands in its indexes.
    fileprivate var indexed: Set<String> {
        switch kind {
        case .records(let table): table.indexes.expressions
        case .indexed(let table, _): table.expressions
        case .elements, .rows: []
        }
    }

    /// How long the longest of them is.
    fileprivate var longestIndexed: Int {
        switch kind {
        case .records(let table): table.indexes.longest
        case .indexed(let table, _): table.longest
        case .elements, .rows: 0
        }
    }

    /// Whether none of some texts of its values is in an index, where it would lose its type.
    package func keepsTypes(_ texts: Set<String>) -> Bool {
        switch kind {
        case .records(let table):
            texts.isEmpty
                || !table.indexes.hasOthers && texts.isDisjoint(with: table.indexes.expressions)
        case .indexed(let table, _): table.keepsTypes(texts)
        case .elements, .rows: true
        }
    }
}

extension QueryIndexes.ElementTable {
    /// Whether none of some texts of its values is the element itself, or in an index: there it has
    /// no type.
    func keepsTypes(_ texts: Set<String>) -> Bool {
        !texts.contains("fl_unnested_value(body)") && texts.isDisjoint(with: expressions)
    }

    /// How long the longest text of an expression in its indexes is.
    fileprivate var longest: Int { expressions.map(\.utf8.count).max() ?? 0 }
}
