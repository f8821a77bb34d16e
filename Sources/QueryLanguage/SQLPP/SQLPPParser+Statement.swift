internal import FleeceLite
internal import StoreFormat

extension SQLPPParser {
    /// Reads a statement, which a `;` may follow.
    ///
    /// - Parameter hasPositions: whether its parts get their positions in the text.
    package static func statement(
        _ text: String, hasPositions: Bool = false
    ) throws -> QueryStatement {
        var parser = Self(text, hasPositions: hasPositions)
        let statement = try parser.parseStatement()
        let isClosed = parser.skip(.semicolon)
        let end = "the end of input"
        try parser.expectEnd(isClosed ? end : "\(parser.stage.expected) or \(end)")
        try parser.requireSourcesOfMeta()
        return statement
    }

    /// Checks the sources of `META(name)`, which the text names before `FROM`.
    private func requireSourcesOfMeta() throws {
        guard !metaNames.isEmpty else { return }
        let known = Set(sourceNames.map { $0.asciiLowercased })
        for (name, token) in metaNames where !known.contains(name.asciiLowercased) {
            throw error(
                found: "\(name), which is not a source of the query",
                expected: sourceNames.isEmpty ? "')'" : sourceNames.joined(separator: ", "),
                at: token)
        }
    }

    /// Reads a subquery. Its sources are not visible outside; unknown names may refer to sources of
    /// the outer queries.
    mutating func withinScope<T>(_ body: (inout Self) throws -> T) rethrows -> T {
        let (sources, metas) = (sourceNames.count, metaNames.count)
        let value = try body(&self)
        let own = Set(sourceNames[sources...].map { $0.asciiLowercased })
        let unknown = metaNames[metas...].filter {
            !own.contains($0.name.asciiLowercased)
        }
        metaNames.replaceSubrange(metas..., with: unknown)
        sourceNames.removeSubrange(sources...)
        return value
    }

    private mutating func parseStatement() throws -> QueryStatement {
        if kind == .keyword(.select) || kind == .symbol(.leftParenthesis) || isWord(.with) {
            return .select(try parseQuery())
        }
        if skip(.update) { return .update(try parseUpdate()) }
        if skip(.delete) { return .delete(try parseDelete()) }
        throw unexpected("SELECT, WITH, UPDATE or DELETE")
    }

    /// `collection [[AS] alias] SET … UNSET … [WHERE …] [LIMIT …]`
    private mutating func parseUpdate() throws -> QueryUpdate {
        var update = QueryUpdate(target: try parseTarget())
        if skip(.set) {
            repeat {
                let start = textPosition(ofToken: position)
                let path = try parseChangedPath(of: update.target)
                try expect(.equal, or: "'.', '[' or ")
                var assignment = QueryAssignment(path: path, value: try parseExpression())
                assignment.position = start
                update.assignments.append(assignment)
            } while skip(.comma)
            stage = .assignment
        }
        if skip(.unset) {
            repeat {
                let start = textPosition(ofToken: position)
                var removal = QueryRemoval(path: try parseChangedPath(of: update.target))
                removal.position = start
                update.removals.append(removal)
            } while skip(.comma)
            stage = .removal
        }
        guard !update.assignments.isEmpty || !update.removals.isEmpty else {
            throw unexpected(stage == .target ? "AS, SET or UNSET" : "SET or UNSET")
        }
        (update.condition, update.limit) = try parseChangeLimits()
        return update
    }

    /// `FROM collection [[AS] alias] [WHERE …] [LIMIT …]`
    private mutating func parseDelete() throws -> QueryDelete {
        try expect(.from)
        var delete = QueryDelete(target: try parseTarget())
        (delete.condition, delete.limit) = try parseChangeLimits()
        return delete
    }

    private mutating func parseTarget() throws -> QuerySource {
        let start = textPosition(ofToken: position)
        let collection = try parseCollectionName("the name of a collection")
        let alias = try parseAlias(unless: [.set, .unset])
        stage = alias == nil ? .target : .namedTarget
        var target = QuerySource(kind: .collection(collection), alias: alias)
        target.position = start
        sourceNames += target.metaNames
        return target
    }

    private mutating func parseChangeLimits() throws -> (QueryExpression?, QueryExpression?) {
        var (condition, limit): (QueryExpression?, QueryExpression?)
        if skip(.where) {
            condition = try parseExpression()
            stage = .changeCondition
        }
        if skip(.limit) {
            limit = try parseExpression()
            stage = .changeLimit
        }
        return (condition, limit)
    }

    /// Reads the path of a changed property; returns it without the name of the collection.
    private mutating func parseChangedPath(of target: QuerySource) throws -> PropertyPath {
        let token = position
        guard name != nil else { throw unexpected("the path of a property") }
        let path = try parsePath()
        guard let property = target.property(at: path) else {
            throw error(
                found: "the documents themselves", expected: "the path of a property", at: token)
        }
        return property
    }
}

extension QuerySource {
    /// The path from the document, for a path that may begin with the source name; nil if no
    /// property follows the name.
    func property(at path: PropertyPath) -> PropertyPath? {
        for name in names where path.components.starts(with: name.map { .key($0) }) {
            let rest = path.components.dropFirst(name.count)
            guard case .key = rest.first else { return nil }
            return PropertyPath(Array(rest))
        }
        return path.components.isEmpty ? nil : path
    }

    /// The path of a property in a query: the path from the document if that is unambiguous.
    func path(to property: PropertyPath) -> PropertyPath {
        guard self.property(at: property) != property, let name = names.first else {
            return property
        }
        return PropertyPath(name.map { .key($0) } + property.components)
    }

    /// The names that `META(name)` accepts, shortest first.
    var metaNames: [String] { names.reversed().map { $0.joined(separator: ".") } }

    /// The names of a collection's documents, longest first.
    private var names: [[String]] {
        if let alias { return [[alias]] }
        guard case .collection(let name) = kind else { return [] }
        return (name.scope.map { [[$0, name.collection]] } ?? []) + [[name.collection]]
    }
}
