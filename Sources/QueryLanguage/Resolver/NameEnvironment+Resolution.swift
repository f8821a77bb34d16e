internal import FleeceLite
internal import StoreFormat

/// What the beginning of a path refers to.
enum PathResolution {
    /// A source, and the path in its rows.
    case source(ResolvedSource, PropertyPath)
    /// A name that stands for an expression, by its index in the block that defines it.
    case name(NameScope, Int, PropertyPath)
}

extension NameEnvironment {
    /// Resolves a path: in the innermost query that knows its first name, or else in the only
    /// source of the query. A case-sensitive match takes precedence.
    ///
    /// - Throws: `.invalidQuery` if there are several sources and none has that name.
    func resolution(of path: PropertyPath) throws -> PathResolution {
        var environment: NameEnvironment? = self
        while let current = environment {
            for comparison in NameComparison.allCases {
                if let (source, rest) = current.scope.sources.match(path, comparison) {
                    return .source(source, rest)
                }
                if let found = current.name(path, comparison) { return found }
            }
            environment = current.scope.outer
        }
        let sources = scope.sources
        // As in LiteCore, `*` alone is the first source.
        if path.components.isEmpty, let first = sources.first { return .source(first, path) }
        guard sources.count == 1 else { throw unknownSource(path) }
        try requireNotHidden(path)
        return .source(sources[0], path)
    }

    private func name(_ path: PropertyPath, _ comparison: NameComparison) -> PathResolution? {
        guard case .key(let first) = path.components.first else { return nil }
        return scope.number(ofName: first, comparison, visible: visibleNames).map {
            .name(scope, $0, PropertyPath(Array(path.components.dropFirst())))
        }
    }

    /// - Throws: if a property of the only source has the name of a hidden source, which is
    ///   ambiguous.
    private func requireNotHidden(_ path: PropertyPath) throws {
        guard case .key(let name) = path.components.first else { return }
        var current: NameScope? = scope
        while let scope = current {
            guard
                !scope.hiddenSources.contains(where: {
                    NameComparison.ignoringCase.areEqual($0, name)
                })
            else {
                throw StoreError.invalidQuery(
                    "a subquery in FROM cannot see the source \(name); for a property of "
                        + "that name write \(self.scope.sources[0].alias).\(path)")
            }
            current = scope.outer?.scope
        }
    }

    private func unknownSource(_ path: PropertyPath) -> StoreError {
        let aliases = scope.sources.map(\.alias).joined(separator: ", ")
        return .invalidQuery(
            "the property \(path) belongs to none of the sources; write the alias of one before "
                + "it: \(aliases)")
    }
}

// Sources by name.
extension NameEnvironment {
    /// The source that `META(name)` refers to; nil if there is none.
    func source(called name: String) -> ResolvedSource? { scope.source(called: name) }

    /// The source that `META()` refers to: the only collection.
    ///
    /// - Throws: `.invalidQuery` if there are several.
    func onlyCollection() throws -> ResolvedSource {
        let collections = scope.sources.filter(\.isOfDocuments)
        guard collections.count == 1 else {
            throw StoreError.invalidQuery(
                collections.isEmpty
                    ? "META() needs a collection, and the query has none"
                    : "META() needs the alias of one of the sources: "
                        + "META(\(scope.sources[0].alias))")
        }
        return collections[0]
    }

    /// The full-text table of an index: `name`, or `source.name`.
    ///
    /// - Throws: `.missingIndex` if it does not exist.
    func fullTextIndex(_ name: String) throws -> FullTextReference {
        var current: NameScope? = scope
        while let scope = current {
            for source in scope.sources {
                if let found = source.fullTextIndex(name) { return found }
            }
            current = scope.outer?.scope
        }
        throw StoreError(
            .missingIndex, "there is no full-text index \(name) of a collection of the query")
    }
}

extension NameScope {
    fileprivate func source(called name: String) -> ResolvedSource? {
        for comparison in NameComparison.allCases {
            let source =
                sources.first { comparison.areEqual(name, $0.fullName) }
                ?? sources.first { comparison.areEqual(name, $0.alias) }
            if let source { return source }
        }
        return outer?.source(called: name)
    }

    /// The SQL aliases of the sources of this query and of its outer queries, in lower case.
    var sqlAliases: [String] {
        sources.map { $0.sqlAlias.asciiLowercased } + (outer?.scope.sqlAliases ?? [])
    }

    /// Whether expressions of a subquery can read the sources of this query through names.
    var hasNames: Bool { !names.isEmpty || outer?.scope.hasNames ?? false }

    /// Whether a source has this name case-insensitively, as SQL compares names.
    func hasSource(like name: String) -> Bool {
        let lowercase = name.asciiLowercased
        return sources.contains {
            $0.alias != name && $0.alias.asciiLowercased == lowercase
        } || outer?.scope.hasSource(like: name) ?? false
    }
}

extension ResolvedSource {
    fileprivate func fullTextIndex(_ name: String) -> FullTextReference? {
        guard let indexes = table?.indexes.words, !indexes.isEmpty else { return nil }
        let prefix = alias + "."
        let found =
            indexes[name]
            ?? (name.hasPrefix(prefix) ? indexes[String(name.dropFirst(prefix.count))] : nil)
        return found.map { FullTextReference(name: name, sqlName: $0.sqlName, source: self) }
    }

    /// Whether a property can have the name of metadata.
    func mayHave(_ property: MetaProperty) -> Bool {
        guard case .rows(let columns) = kind else { return true }
        return columns.index(property.shortName) != nil
    }
}
