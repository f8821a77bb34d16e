internal import FleeceLite
internal import StoreFormat

/// The form of index triggers in all versions of LiteCore.
///
/// The triggers of current indexes follow from the registry. Older versions wrote other SQL of the
/// same form: a trigger maintains the table in its name by one statement for the changed row.
struct IndexTriggerForm {
    private let innocuous: InnocuousFunctions
    private var tokens: ArraySlice<SQLTextToken>

    /// Whether a trigger has this form, which makes it innocuous.
    static func fits(_ trigger: SchemaObject, _ innocuous: InnocuousFunctions) -> Bool {
        guard let sql = trigger.sql, let table = Self.table(ofTrigger: trigger.name) else {
            return false
        }
        if VectorIndexSchema.isTrigger(trigger, of: table) { return true }
        var form = IndexTriggerForm(innocuous: innocuous, tokens: SQLTextToken.all(in: sql)[...])
        return form.readHead(trigger) && form.readAction(table)
    }

    /// The table of an index, from the name of its trigger.
    private static func table(ofTrigger name: String) -> String? {
        for suffix in SchemaSQL.triggerSuffixes where name.hasSuffix("::" + suffix) {
            let table = String(name.dropLast(suffix.count + 2))
            return SchemaSQL.mayBeOfIndex(table: table) ? table : nil
        }
        return nil
    }

    /// `CREATE TRIGGER name AFTER INSERT ON table WHEN … BEGIN`
    private mutating func readHead(_ trigger: SchemaObject) -> Bool {
        guard take("create"), take("trigger") else { return false }
        if take("if") { guard take("not"), take("exists") else { return false } }
        guard let name = tokens.popFirst(), name.isName(trigger.name),
            take("before") || take("after"), take("insert") || take("delete") || takeUpdate(),
            take("on"), tokens.popFirst()?.isName(trigger.table) == true
        else { return false }
        if take("for") { guard take("each"), take("row") else { return false } }
        let condition = tokens.prefix { !$0.isWord("begin") }
        tokens = tokens.dropFirst(condition.count + 1)
        guard let first = condition.first else { return true }
        return first.isWord("when") && isHarmless(condition.dropFirst())
    }

    /// `UPDATE OF body, flags`
    private mutating func takeUpdate() -> Bool {
        guard take("update") else { return false }
        tokens = tokens.drop { !$0.isWord("on") }
        return true
    }

    /// One statement on the index's table, followed by `END`.
    private mutating func readAction(_ table: String) -> Bool {
        guard tokens.popLast()?.isWord("end") == true, tokens.popLast()?.isSign(";") == true,
            !tokens.contains(where: { $0.isSign(";") })
        else { return false }
        if take("delete") {
            return take("from") && takeTable(table) && take("where") && isHarmless(tokens)
        }
        if take("update") { return takeTable(table) && take("set") && isHarmless(tokens) }
        guard take("insert") else { return false }
        if take("or") { guard take("replace") || take("ignore") else { return false } }
        guard take("into"), takeTable(table), takeColumns() else { return false }
        return (take("values") || take("select")) && isHarmless(tokens)
    }

    private mutating func takeTable(_ name: String) -> Bool {
        tokens.popFirst()?.isName(name) == true
    }

    private mutating func takeColumns() -> Bool {
        guard tokens.popFirst()?.isSign("(") == true else { return false }
        let columns = tokens.prefix { !$0.isSign(")") }
        tokens = tokens.dropFirst(columns.count + 1)
        return columns.allSatisfy { $0.kind == .word || $0.kind == .quoted || $0.isSign(",") }
    }

    /// Consumes a keyword, if it is the next token.
    private mutating func take(_ word: String) -> Bool {
        guard tokens.first?.isWord(word) == true else { return false }
        tokens.removeFirst()
        return true
    }

    /// Whether expressions read only the changed row and arrays in it.
    private func isHarmless(_ expression: ArraySlice<SQLTextToken>) -> Bool {
        guard !expression.isEmpty, innocuous.forbiddenFunction(in: expression) == nil else {
            return false
        }
        var rest = expression
        var selects = 0
        var previous: SQLTextToken?
        while let token = rest.popFirst() {
            if token.kind == .word, Self.forbidden.contains(token.text.asciiLowercased) {
                return false
            }
            if token.isWord("select") {
                selects += 1
                guard previous?.isSign("(") == true, selects <= Self.mostSelects else {
                    return false
                }
            }
            if token.isWord("from") { guard takesArray(&rest) else { return false } }
            previous = token
        }
        return true
    }

    /// Consumes `fl_each(new.body, 'path') AS _each`, unless other tables follow it.
    private func takesArray(_ rest: inout ArraySlice<SQLTextToken>) -> Bool {
        guard rest.popFirst()?.isWord("fl_each") == true, rest.popFirst()?.isSign("(") == true
        else { return false }
        var depth = 1
        while depth > 0 {
            guard let token = rest.popFirst() else { return false }
            if token.isSign("(") { depth += 1 }
            if token.isSign(")") { depth -= 1 }
            if token.kind == .word, Self.forbidden.contains(token.text.asciiLowercased) {
                return false
            }
            if token.isWord("select") || token.isWord("from") { return false }
        }
        if rest.first?.isWord("as") == true { rest = rest.dropFirst(2) }
        return rest.first.map { $0.isSign(")") || $0.isWord("where") } ?? true
    }

    /// Conditions nest queries on arrays only a few levels deep.
    private static let mostSelects = 4

    private static let forbidden: Set<String> = [
        "alter", "attach", "create", "cross", "delete", "detach", "drop", "except", "insert",
        "intersect", "into", "join", "natural", "pragma", "raise", "recursive", "reindex",
        "replace", "union", "update", "vacuum", "values", "with",
    ]
}
