internal import FleeceLite

extension ResolvedSource {
    /// The rest of a path that begins with the source name; nil if it does not.
    fileprivate func rest(of path: PropertyPath, _ comparison: NameComparison) -> PropertyPath? {
        let components = path.components
        guard !alias.isEmpty, case .key(let first) = components.first else { return nil }
        if let prefix, comparison.areEqual(first, prefix), components.count > 1,
            case .key(let second) = components[1], comparison.areEqual(second, alias)
        {
            return PropertyPath(Array(components.dropFirst(2)))
        }
        if comparison.areEqual(first, alias) {
            return PropertyPath(Array(components.dropFirst()))
        }
        return restBehindDefault(of: path) ?? restBehindDottedAlias(of: path, comparison)
    }

    /// The rest of a path that begins with the full name of the default collection, whose short
    /// name is `_`.
    private func restBehindDefault(of path: PropertyPath) -> PropertyPath? {
        guard isOfDocuments, prefix == nil, alias == "_",
            path.components.starts(with: [.key("_default"), .key("_default")])
        else { return nil }
        return PropertyPath(Array(path.components.dropFirst(2)))
    }

    /// The rest of a path that begins with an alias that contains dots.
    private func restBehindDottedAlias(
        of path: PropertyPath, _ comparison: NameComparison
    ) -> PropertyPath? {
        guard alias.utf8.contains(UInt8(ascii: ".")) else { return nil }
        let names = alias.split(separator: ".", omittingEmptySubsequences: false)
        guard path.components.count >= names.count else { return nil }
        for (name, component) in zip(names, path.components) {
            guard case .key(let key) = component, comparison.areEqual(key, String(name)) else {
                return nil
            }
        }
        return PropertyPath(Array(path.components.dropFirst(names.count)))
    }

    /// Whether a path omits the scope.
    fileprivate func isShortened(by rest: PropertyPath, of path: PropertyPath) -> Bool {
        prefix != nil && path.components.count - rest.components.count == 1
    }
}

extension [ResolvedSource] {
    /// The source whose name a path begins with, and the rest of the path. The longest matching
    /// name wins; of equal ones, the one that is written in full.
    func match(
        _ path: PropertyPath, _ comparison: NameComparison
    ) -> (ResolvedSource, PropertyPath)? {
        var best: (source: ResolvedSource, rest: PropertyPath)?
        for source in self {
            guard let rest = source.rest(of: path, comparison) else { continue }
            if let best {
                let (count, known) = (rest.components.count, best.rest.components.count)
                guard
                    count < known
                        || count == known && best.source.isShortened(by: rest, of: path)
                            && !source.isShortened(by: rest, of: path)
                else { continue }
            }
            best = (source, rest)
        }
        return best
    }
}
