internal import QueryLanguage
internal import StoreFormat

/// One line of `EXPLAIN QUERY PLAN`, in the words of this project.
struct PlanDescription {
    let text: String
    let kind: QueryPlan.Step.Kind
    /// The index, by its name.
    var index: String?
    /// What SQL calls the source.
    var source: String?
    /// What the query calls it.
    var table: String?
    /// Whether at most one row is found.
    var isUnique = false
    /// By how many columns of the index equal values are looked up.
    var equalColumns = 0

    init(_ detail: String, _ translation: QueryTranslation) {
        var parts = PlanDetail(detail)
        parts.source = parts.source.map { translation.sqlAlias(of: $0) }
        source = parts.source
        let name = parts.source.map { translation.sourceNames[$0] ?? $0 }
        table = name
        index = parts.index
        equalColumns = parts.equalities
        switch parts.action {
        case .scan, .search:
            (kind, text, isUnique) = Self.access(parts, name ?? "", translation)
        case .sort(let clause):
            (kind, text) = (.sort, "sorts the rows for \(clause)")
        case .other:
            (kind, text) = (.other, Self.sentence(detail))
        }
    }

    private static func access(
        _ parts: PlanDetail, _ name: String, _ translation: QueryTranslation
    ) -> (QueryPlan.Step.Kind, String, Bool) {
        let source = parts.source ?? ""
        let rows = translation.elementTables.contains(source) ? name : "documents of \(name)"
        if parts.isVirtual {
            if translation.elementSources.contains(source) {
                return (.elements, "walks through the elements of \(name)", false)
            }
            guard translation.wordIndexes[source] != nil || source.contains("::") else {
                return (.elements, "walks through the elements of an array", false)
            }
            let index = translation.wordIndexes[source] ?? name
            return (.words, "searches the words of the full-text index \(index)", false)
        }
        if source.hasPrefix("(") || translation.sourceNames[source] == nil {
            if parts.action == .scan { return (.other, "reads the rows of a subquery", false) }
        }
        if parts.usesRowNumbers {
            return (.search, "looks up documents of \(name) by number", true)
        }
        guard let index = parts.index else {
            let isOfElements = translation.elementTables.contains(source)
            let all =
                isOfElements ? "looks at all of \(name)" : "looks at every document of \(name)"
            return (.scan, all, false)
        }
        if index.hasPrefix("sqlite_autoindex_") {
            return parts.action == .search
                ? (.search, "looks up \(rows) by ID", parts.equalities > 0)
                : (.indexScan, "walks through the IDs of \(name)", false)
        }
        let only = parts.isCovering ? ", from the index alone" : ""
        if parts.action == .search {
            let conditions = parts.conditions.isEmpty ? "" : ": \(parts.conditions)"
            return (
                .search, "looks up \(rows) by the index \(index)\(conditions)\(only)",
                false
            )
        }
        return (
            .indexScan, "walks through the index \(index) of \(name) in its order\(only)", false
        )
    }

    /// SQLite's other lines, which are rare.
    private static func sentence(_ detail: String) -> String {
        for (begin, words) in sentences where detail.hasPrefix(begin) { return words }
        return detail.asciiLowercased
    }

    private static let sentences = [
        ("CO-ROUTINE", "computes the rows of a subquery, one by one"),
        ("MATERIALIZE", "computes the rows of a subquery and keeps them"),
        ("CORRELATED SCALAR SUBQUERY", "asks a subquery for each row"),
        ("CORRELATED LIST SUBQUERY", "asks a subquery for each row"),
        ("SCALAR SUBQUERY", "asks a subquery once"),
        ("LIST SUBQUERY", "makes a list of a subquery"),
        ("COMPOUND QUERY", "puts several queries together"),
        ("LEFT-MOST SUBQUERY", "the first query"),
        ("UNION ALL", "adds the rows of the next query"),
        ("UNION USING TEMP B-TREE", "adds the rows of the next query that are new"),
        ("INTERSECT USING TEMP B-TREE", "keeps the rows that the next query has, too"),
        ("EXCEPT USING TEMP B-TREE", "drops the rows that the next query has"),
        ("MULTI-INDEX OR", "looks up each side of OR, and puts the rows together"),
        ("BLOOM FILTER", "makes a filter for a join"),
        ("MERGE", "merges two sorted queries"),
    ]
}

extension QueryTranslation {
    /// What SQL calls a source: where SQLite only counts rows, it names the table itself.
    fileprivate func sqlAlias(of name: String) -> String {
        guard sourceNames[name] == nil else { return name }
        return sqlTables.filter { $0.value.unquotedSQLName == name }.keys.min() ?? name
    }
}

/// The parts of a line of `EXPLAIN QUERY PLAN`.
struct PlanDetail {
    enum Action: Equatable {
        case scan, search, other
        case sort(String)
    }

    let action: Action
    fileprivate(set) var source: String?
    private(set) var index: String?
    private(set) var isCovering = false
    private(set) var usesRowNumbers = false
    private(set) var isVirtual = false
    /// What stands in parentheses: `<expr>=? AND <expr>>?`
    private(set) var conditions = ""
    private(set) var equalities = 0

    init(_ detail: String) {
        if let clause = detail.range(ofSuffix: "USE TEMP B-TREE FOR ") {
            action = .sort(String(clause))
            return
        }
        let isScan = detail.hasPrefix("SCAN ")
        guard isScan || detail.hasPrefix("SEARCH ") else {
            action = .other
            return
        }
        action = isScan ? .scan : .search
        read(detail.dropFirst(isScan ? 5 : 7))
    }

    private mutating func read(_ rest: Substring) {
        var name = rest
        for mark in [" USING ", " VIRTUAL TABLE INDEX ", " LEFT-JOIN"] {
            if let (before, after) = name.split(at: mark) {
                name = before
                if mark == " USING " { readIndex(after) }
                if mark == " VIRTUAL TABLE INDEX " { isVirtual = true }
            }
        }
        source = String(name)
    }

    private mutating func readIndex(_ text: Substring) {
        var text = text
        if text.hasPrefix("INTEGER PRIMARY KEY") { usesRowNumbers = true }
        for (begin, covers) in [("COVERING INDEX ", true), ("INDEX ", false)]
        where text.hasPrefix(begin) {
            text = text.dropFirst(begin.count)
            isCovering = covers
            // A name may hold anything: the conditions are the last parentheses.
            let end = text.hasSuffix(")") ? text.lastPosition(of: " (") : nil
            index = String(text[..<(end ?? text.endIndex)])
            if let end { readConditions(text[end...].dropFirst(2).dropLast()) }
            return
        }
    }

    private mutating func readConditions(_ text: Substring) {
        // The sign behind `<expr>` is no part of an operator.
        let text = text.replacing("<expr>", "value")
        let parts = text.components(separatedBy: " AND ")
        equalities = parts.count {
            $0.hasSuffix("=?") && !$0.hasSuffix(">=?") && !$0.hasSuffix("<=?")
        }
        conditions = text.replacing("=?", " = …")
            .replacing(">?", " > …").replacing("<?", " < …")
    }
}

extension StringProtocol where SubSequence == Substring {
    /// What stands behind a beginning; nil if it begins otherwise.
    fileprivate func range(ofSuffix prefix: String) -> Substring? {
        hasPrefix(prefix) ? self[...].dropFirst(prefix.count) : nil
    }

    /// What stands before and behind a text that occurs in it for the first time.
    fileprivate func split(at mark: String) -> (Substring, Substring)? {
        guard let place = self[...].firstPosition(of: mark) else { return nil }
        return (self[..<place], self[place...].dropFirst(mark.count))
    }

    fileprivate func firstPosition(of mark: String) -> Index? {
        indices.first { self[$0...].hasPrefix(mark) }
    }

    fileprivate func lastPosition(of mark: String) -> Index? {
        indices.last { self[$0...].hasPrefix(mark) }
    }

    fileprivate func components(separatedBy mark: String) -> [Substring] {
        guard let (first, rest) = split(at: mark) else { return [self[...]] }
        return [first] + rest.components(separatedBy: mark)
    }

    fileprivate func replacing(_ text: String, _ other: String) -> String {
        components(separatedBy: text).joined(separator: other)
    }
}
