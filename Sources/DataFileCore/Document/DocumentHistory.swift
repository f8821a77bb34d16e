package import FleeceLite
public import StoreFormat

/// The revisions stored in a document's row.
///
/// A file of Couchbase Lite 2 or 3 stores a revision tree, one of 4 a version vector and the
/// revision of each remote. Each row is read in its own form, independently of the others.
///
/// ```swift
/// if let history = try file.read({ try people.history(of: "ada", in: $0) }) {
///     show("current", history.revisionID as Any)
///     for (remote, revision) in history.remotes { show(remote, revision) }
///     for item in try history.revisionList() { show(item.id, item.isCurrent) }
/// }
/// ```
///
/// It is an immutable value, which can be used after the snapshot's end. Bodies of former revisions
/// are stored only in trees, if they are marked to be retained or are unmerged: this is not an
/// archive of old contents. See `docs/documents.md`.
public struct DocumentHistory: Sendable {
    /// The document's ID.
    public let id: String
    /// Whether the document is a tombstone.
    public var isDeleted: Bool { flags.contains(.deleted) }

    package var form: Form
    /// The current body; nil if there are no properties.
    package var body: FleeceDocument?
    var flags: DocumentFlags
    var sharedKeys: SharedKeys
    /// The revision of a document that a database with trees has sent to one with vectors. A
    /// legacy version represents it in the vector.
    var received: RevisionID?

    /// The form in which the row stores it.
    package enum Form: Sendable {
        case tree(RevisionTree)
        case vector(VersionVector, RemoteRevisions)
    }

    /// The history of a new document in a file with trees.
    init(newTree id: String, sharedKeys: SharedKeys) {
        self.id = id
        form = .tree(RevisionTree())
        flags = []
        self.sharedKeys = sharedKeys
    }

    /// The history of a document at a version.
    init(
        _ id: String, _ vector: VersionVector, _ current: NewRevision, _ remotes: RemoteRevisions
    ) throws {
        self.id = id
        form = .vector(vector, remotes)
        body = try current.document()
        flags = current.flags
        sharedKeys = current.sharedKeys
    }

    /// Reads a collection's record with all content.
    ///
    /// Throws `.corruptRevisionData` or `.corruptData`, naming the document.
    package init(_ record: Record, sharedKeys: SharedKeys) throws {
        id = record.key
        flags = record.flags
        self.sharedKeys = sharedKeys
        if record.isBareTombstone {
            form = .tree(RevisionTree())
            return
        }
        do {
            let document = try Document(record, sharedKeys: sharedKeys)
            body = document.body
            guard record.layout == .versionVector, let revision = document.revisionID else {
                form = .tree(try RevisionTree(record))
                return
            }
            let vector = try VersionVector(of: revision)
            if case .digest = revision { received = revision }
            form = .vector(
                vector, try Self.remoteRevisions(of: record, revision, document.body, sharedKeys))
        } catch {
            throw Document.damaged(record.key, error)
        }
    }

    private static func remoteRevisions(
        of record: Record, _ revision: RevisionID, _ body: FleeceDocument?,
        _ sharedKeys: SharedKeys
    ) throws -> RemoteRevisions {
        var remotes = RemoteRevisions()
        if let extra = record.extra, !extra.isEmpty {
            remotes = try RemoteRevisions(extra: extra, body: body, sharedKeys: sharedKeys)
        }
        if record.flags.contains(.synced) {
            // The first remote has it, which so far only the flag records.
            let flags = record.flags.intersection(RemoteRevision.ownFlags)
            remotes.setRemote(
                1,
                to: RemoteRevision(
                    remote: 1, revisionID: revision, flags: flags,
                    properties: body?.root.dictionary))
        }
        return remotes
    }
}

extension DocumentHistory {
    /// The current revision; nil if there is none, as for a tombstone without one.
    public var revisionID: RevisionID? {
        switch form {
        case .tree(let tree): tree.revisions.first.flatMap { try? RevisionID(binary: $0.id) }
        case .vector(let vector, _): received ?? .vector(vector)
        }
    }

    /// The revision tree; nil for a version vector.
    ///
    /// ```swift
    /// let generations = history.tree?.revisions.count ?? 0
    /// ```
    public var tree: RevisionTree? {
        if case .tree(let tree) = form { tree } else { nil }
    }

    /// The revisions that remotes are known to have, by the remote's number; for trees, too.
    ///
    /// ```swift
    /// let numbers = try file.read { try $0.remotes() }
    /// let number = numbers["wss://example.com/people"]
    /// let theirs = number.flatMap { history.remotes[$0] }
    /// ```
    public var remotes: [Int: RevisionID] {
        switch form {
        case .tree(let tree):
            return tree.remotes.reduce(into: [:]) { remotes, latest in
                let revision = tree.revisions[latest.revision]
                remotes[Int(latest.number)] = try? RevisionID(binary: revision.id)
            }
        case .vector(_, let revisions):
            return revisions.all.reduce(into: [:]) { $0[$1.remote] = $1.revisionID }
        }
    }
}

extension DocumentCollection {
    /// The revisions stored for a document; nil if the document does not exist. A tombstone has a
    /// history, too.
    ///
    /// ```swift
    /// let history = try file.read { try people.history(of: "ada", in: $0) }
    /// ```
    ///
    /// Costs one lookup by key, and decodes the tree or the revisions of remotes; the current
    /// revision alone is ``Document/revisionID``.
    ///
    /// - Parameters:
    ///   - id: the document's ID.
    ///   - snapshot: the snapshot or transaction to read from.
    /// - Throws: ``StoreError/Code/notFound`` if the collection does not exist;
    ///   ``StoreError/Code/corruptRevisionData`` or ``StoreError/Code/corruptData`` if the document
    ///   is damaged.
    public func history(of id: String, in snapshot: Snapshot) throws -> DocumentHistory? {
        try keyStore.get(id, in: snapshot).map {
            try DocumentHistory($0, sharedKeys: snapshot.requireSharedKeys())
        }
    }
}

extension DocumentHistory {
    /// Replaces implausible times of versions by the present time, in the document and in the
    /// remotes' revisions.
    ///
    /// The order of the versions stays the same, so equal and conflicting versions stay equal and
    /// conflicting; the new times are later than all others of the document.
    ///
    /// - Returns: whether there were any.
    package mutating func boundTimes(in transaction: Transaction) throws -> Bool {
        guard case .vector(let vector, let remotes) = form else { return false }
        let latest = transaction.clock.latestPlausible
        let vectors = [vector] + remotes.all.compactMap(\.vector)
        let times = Set(vectors.flatMap { $0.times(after: latest) }).sorted()
        guard !times.isEmpty else { return false }
        var last = vectors.map { $0.latestTime(notAfter: latest) }.max() ?? .zero
        var new: [LogicalTime: LogicalTime] = [:]
        for time in times {
            let present = try transaction.newTime(after: nil, id: id)
            last = max(present, LogicalTime(rawValue: last.rawValue + 1))
            new[time] = last
        }
        let bounded = { (vector: VersionVector) in
            vector.replacingTimes(after: latest) { new[$0] ?? $0 }
        }
        var boundedRemotes = remotes
        for remote in remotes.all {
            guard let vector = remote.vector else { continue }
            boundedRemotes.setRemote(remote.remote, to: remote.with(bounded(vector)))
        }
        form = .vector(bounded(vector), boundedRemotes)
        return true
    }
}

extension RemoteRevision {
    /// Its version vector; nil if it is a tree revision.
    fileprivate var vector: VersionVector? {
        if case .vector(let vector) = revisionID { vector } else { nil }
    }

    /// The same revision with another version; without a base, which would need another one, too.
    fileprivate func with(_ vector: VersionVector) -> RemoteRevision {
        RemoteRevision(
            remote: remote, revisionID: .vector(vector), flags: flags, properties: properties,
            others: others)
    }
}
