internal import StoreFormat

extension DocumentHistory {
    /// The nearest revision from which the current one and all that conflict with it descend; nil
    /// without a conflict, and if it is not stored.
    ///
    /// ```swift
    /// let before = try history.commonAncestor()?.properties
    /// ```
    ///
    /// A file with version vectors keeps the revision that the remote had before the conflict, if
    /// the conflict was stored by this software. A tree has the revision, and its properties
    /// if its body is retained.
    ///
    /// - Throws: ``StoreError/Code/corruptRevisionData`` or ``StoreError/Code/corruptData`` if a
    ///   revision is damaged.
    public func commonAncestor() throws -> RevisionListItem? {
        let list = try revisionList()
        let others = list.indices.filter { list[$0].isUnresolved && !list[$0].isCurrent }
        guard let current = list.firstIndex(where: \.isCurrent), !others.isEmpty else { return nil }
        return CommonAncestor.index(of: [current] + others, in: list).map { list[$0] }
    }
}

/// The nearest revision from which others descend.
private enum CommonAncestor {
    /// Finds it among the revisions of a document.
    ///
    /// - Parameter sides: the indexes of those that descend from it.
    static func index(of sides: [Int], in list: [RevisionListItem]) -> Int? {
        let vectors = sides.compactMap { list[$0].vector }
        guard vectors.isEmpty else {
            guard vectors.count == sides.count else { return nil }
            let common = latestTimes(of: vectors)
            return list.firstIndex { item in
                item.vector.map { !common.isEmpty && latestTimes(of: [$0]) == common } ?? false
            }
        }
        let paths = sides.map { path(from: $0, in: list) }
        return paths[0].first { index in paths.allSatisfy { $0.contains(index) } }
    }

    /// The ancestors of a revision of a tree, its parent first.
    private static func path(from side: Int, in list: [RevisionListItem]) -> [Int] {
        Array(sequence(first: side) { list[$0].parent }.dropFirst())
    }

    /// The latest time of each source that is part of all vectors.
    private static func latestTimes(
        of vectors: [VersionVector]
    ) -> [VersionVector.Source: LogicalTime] {
        let times = vectors.map { vector in
            Dictionary(vector.versions.map { ($0.source, $0.time) }, uniquingKeysWith: max)
        }
        return times.dropFirst().reduce(times[0]) { common, other in
            common.reduce(into: [:]) { result, pair in
                if let time = other[pair.key] { result[pair.key] = min(pair.value, time) }
            }
        }
    }
}

extension RevisionListItem {
    /// The version vector; nil for a revision of a tree.
    fileprivate var vector: VersionVector? {
        if case .vector(let vector) = id { vector } else { nil }
    }
}
