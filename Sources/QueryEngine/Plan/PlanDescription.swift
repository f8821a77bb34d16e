internal import QueryLanguage
internal import StoreFormat

/// A description of one line of `EXPLAIN QUERY PLAN` in the terms of the query.
struct PlanDescription {
    let text: String
    let kind: QueryPlan.Step.Kind
    /// The name of the index.
    var index: String?
    /// The name of the source in SQL.
    var source: String?
    /// The name of the source in the query.
    var table: String?
    /// Whether it finds at most one row.
    var isUnique = false
    /// The number of leading index columns that are compared for equality.
    var equalColumns = 0

    init(_ detail: String, _ names: PlanNames) {
        var parts = PlanDetail(detail)
        parts.source = parts.source.map { names.sqlAlias(of: $0) }
        source = parts.source
        let name = parts.source.map { names.sources[$0] ?? $0 }
        table = name
        index = parts.index
        equalColumns = parts.equalities
        if let name = source.flatMap({ names.vectorSearches[$0]?.ownName }) {
            index = name
            (kind, text) = (.vectorSearch, "searches vector index \(name)")
            return
        }
        switch parts.action {
        case .scan, .search:
            (kind, text, isUnique) = Self.access(parts, name ?? "", names)
        case .sort(let clause):
            (kind, text) = (.sort, "sorts the rows for \(clause)")
        case .other:
            (kind, text) = (.other, Self.sentence(detail))
        }
    }

    private static func access(
        _ parts: PlanDetail, _ name: String, _ names: PlanNames
    ) -> (QueryPlan.Step.Kind, String, Bool) {
        let source = parts.source ?? ""
        let rows = names.elementTables.contains(source) ? name : "documents of \(name)"
        if parts.isVirtual {
            if names.elementSources.contains(source) {
                return (.elements, "iterates over the elements of \(name)", false)
            }
            guard names.fullTextIndexes[source] != nil || source.contains("::") else {
                return (.elements, "iterates over the elements of an array", false)
            }
            let index = names.fullTextIndexes[source] ?? name
            return (.fullTextSearch, "searches full-text index \(index)", false)
        }
        if source.hasPrefix("(") || names.sources[source] == nil {
            if parts.action == .scan { return (.other, "scans the rows of a subquery", false) }
        }
        if parts.usesRowid {
            return (.search, "looks up documents of \(name) by rowid", true)
        }
        guard let index = parts.index else {
            let isOfElements = names.elementTables.contains(source)
            let all = isOfElements ? "scans all of \(name)" : "scans all documents of \(name)"
            return (.scan, all, false)
        }
        if index.hasPrefix("sqlite_autoindex_") {
            return parts.action == .search
                ? (.search, "looks up \(rows) by ID", parts.equalities > 0)
                : (.indexScan, "scans the ID index of \(name)", false)
        }
        let usedIndex = (parts.isCovering ? "covering index " : "index ") + index
        if parts.action == .search {
            let conditions = parts.conditions.isEmpty ? "" : " (\(parts.conditions))"
            return (.search, "searches \(rows) using \(usedIndex)\(conditions)", false)
        }
        return (.indexScan, "scans \(rows) in order using \(usedIndex)", false)
    }

    /// SQLite's less common lines.
    private static func sentence(_ detail: String) -> String {
        for (begin, words) in sentences where detail.hasPrefix(begin) { return words }
        return detail.asciiLowercased
    }

    private static let sentences = [
        ("CO-ROUTINE", "runs a subquery as a coroutine"),
        ("MATERIALIZE", "materializes the rows of a subquery"),
        ("CORRELATED SCALAR SUBQUERY", "runs a correlated subquery for each row"),
        ("CORRELATED LIST SUBQUERY", "runs a correlated subquery for each row"),
        ("SCALAR SUBQUERY", "runs a subquery once"),
        ("LIST SUBQUERY", "materializes a subquery as a list"),
        ("COMPOUND QUERY", "combines several queries"),
        ("LEFT-MOST SUBQUERY", "runs the first query"),
        ("UNION ALL", "appends the rows of the next query"),
        ("UNION USING TEMP B-TREE", "adds the distinct rows of the next query"),
        ("INTERSECT USING TEMP B-TREE", "keeps the rows that the next query also returns"),
        ("EXCEPT USING TEMP B-TREE", "removes the rows that the next query returns"),
        ("MULTI-INDEX OR", "searches an index for each side of OR"),
        ("BLOOM FILTER", "builds a Bloom filter for a join"),
        ("MERGE", "merges two sorted queries"),
    ]
}

extension PlanNames {
    /// The alias of a source in SQL; where SQLite only counts rows, its plan names the table
    /// instead.
    fileprivate func sqlAlias(of name: String) -> String {
        guard sources[name] == nil else { return name }
        return tables.filter { $0.value.unquotedSQLName == name }.keys.min() ?? name
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
    private(set) var usesRowid = false
    private(set) var isVirtual = false
    /// The conditions in parentheses: `<expr>=? AND <expr>>?`
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
        if text.hasPrefix("INTEGER PRIMARY KEY") { usesRowid = true }
        for (begin, covers) in [("COVERING INDEX ", true), ("INDEX ", false)]
        where text.hasPrefix(begin) {
            text = text.dropFirst(begin.count)
            isCovering = covers
            // An index name may contain anything: the conditions are in the last parentheses.
            let end = text.hasSuffix(")") ? text.lastPosition(of: " (") : nil
            index = String(text[..<(end ?? text.endIndex)])
            if let end { readConditions(text[end...].dropFirst(2).dropLast()) }
            return
        }
    }

    private mutating func readConditions(_ text: Substring) {
        // The `>` of `<expr>` is not an operator.
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
    /// The part after a prefix; nil if the string does not have it.
    fileprivate func range(ofSuffix prefix: String) -> Substring? {
        hasPrefix(prefix) ? self[...].dropFirst(prefix.count) : nil
    }

    /// The parts before and after the first occurrence of a string.
    fileprivate func split(at mark: String) -> (Substring, Substring)? {
        guard let start = self[...].firstPosition(of: mark) else { return nil }
        return (self[..<start], self[start...].dropFirst(mark.count))
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
