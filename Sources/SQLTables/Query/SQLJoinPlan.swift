internal import SQLCore

/// The tables of a join, with their names in the query.
struct SQLJoinPlan {
    let sources: [SQLJoinSource]
    /// The aliases, also for tables without one if their name is used already.
    let aliases: [String?]

    init(_ sources: [SQLJoinSource]) {
        self.sources = sources
        // SQLite's names are not case-sensitive.
        var taken = Set(sources.compactMap { $0.alias?.lowercased() })
        aliases = sources.enumerated().map { position, source in
            if let alias = source.alias { return alias }
            if taken.insert(source.table.name.lowercased()).inserted { return nil }
            var number = position
            while !taken.insert("t\(number)").inserted { number += 1 }
            return "t\(number)"
        }
    }

    /// Returns the quoted name of a table in this query.
    func name(of position: Int) -> String {
        (aliases[position] ?? sources[position].table.name).sqlName
    }

    /// Returns the table to which a column belongs: the first that declares it.
    func qualifier(of column: SQLColumn) -> String? {
        let identical = sources.firstIndex {
            $0.table.columnIndex.identicalPosition(of: column) != nil
        }
        let owner = identical ?? sources.firstIndex { $0.table.columns.contains(column) }
        return owner.map { name(of: $0) }
    }

    /// `SELECT … FROM … JOIN … ON …`, in which every column is qualified.
    func selectSQL() throws -> SQLExpression {
        let lists = sources.indices.map { sources[$0].columnList(of: name(of: $0)) }
        var result = SQLExpression("SELECT " + lists.joined(separator: ", ") + " FROM ")
        result.append(sources[0].sql(as: aliases[0]))
        for position in sources.indices.dropFirst() {
            let source = sources[position]
            result.append(" " + source.kind.rawValue + " " + source.sql(as: aliases[position]))
            guard let condition = try condition(at: position) else { continue }
            result.append(" ON ")
            result.append(condition)
        }
        return result
    }

    private func condition(at position: Int) throws -> SQLExpression? {
        let source = sources[position]
        switch (source.condition?.joinTerm, source.kind) {
        case (nil, .cross): return nil
        case (_, .cross):
            throw misuse("a cross join of \(source.table.quotedName) takes no condition")
        case (nil, _):
            throw misuse(
                "the join of \(source.table.quotedName) needs a condition: pass a column with a "
                    + "foreign key, or a predicate, as `on`")
        case (.predicate(let predicate), _):
            return predicate.sqlExpression.qualified(qualifier)
        case (.foreignKey(let column, let alias), _):
            return try foreignKeyCondition(column, alias, at: position)
        }
    }

    /// `child."FK" = parent."KEY"`, between the table at `position` and the nearest preceding one.
    private func foreignKeyCondition(
        _ column: SQLColumn, _ alias: String?, at position: Int
    ) throws -> SQLExpression {
        let earlier = Array((0..<position).reversed())
        for other in earlier {
            if let match = match(column, alias, child: position, parent: other)
                ?? match(column, alias, child: other, parent: position)
            {
                return match
            }
        }
        throw misuse(
            "no foreign key of \(column.quotedName) connects "
                + "\(sources[position].table.quotedName) with a table that is joined before it")
    }

    private func match(
        _ column: SQLColumn, _ alias: String?, child: Int, parent: Int
    ) -> SQLExpression? {
        let source = sources[child]
        guard source.owns(column), alias == nil || alias == aliases[child] else { return nil }
        let target = sources[parent].table.name.lowercased()
        let found = source.foreignKeys(from: column).first { $0.key.table.lowercased() == target }
        guard let (from, key) = found, from.count == key.columns.count else { return nil }
        let pairs = zip(from, key.columns).map { from, to in
            "\(name(of: child)).\(from.sqlName) = \(name(of: parent)).\(to.sqlName)"
        }
        return SQLExpression(pairs.joined(separator: " AND "))
    }

    private func misuse(_ message: String) -> SQLError {
        SQLError(code: .misuse, message: message)
    }
}
