internal import FleeceLite
internal import StoreFormat

extension VersionVector {
    /// The vector of a revision; a tree revision is represented by a legacy version.
    ///
    /// Throws `.badRevisionID` for a generation that cannot be represented.
    init(of id: RevisionID) throws {
        switch id {
        case .vector(let vector): self = vector
        case .digest(let generation, let digest):
            guard let legacy = Version(legacy: generation, digest, isCurrent: true) else {
                throw StoreError(
                    .badRevisionID, "the revision \(id) cannot be represented in a version vector")
            }
            self.init(first: legacy)
        }
    }
}

extension DocumentHistory {
    /// Converts a revision tree to a version vector, if that can represent everything relevant.
    ///
    /// The current revision becomes a legacy version with its old ID; remotes' revisions are
    /// retained with theirs. A branch that no remote has, or a revision that a remote rejected,
    /// cannot be represented: such a tree is returned unchanged.
    package func upgradedToVector() throws -> DocumentHistory {
        if case .vector(let vector, let remotes) = form, let received {
            var upgraded = self
            upgraded.form = .vector(vector, remotes.withLegacy([received], of: vector))
            upgraded.received = nil
            return upgraded
        }
        guard case .tree(let tree) = form, let current = tree.revisions.first,
            case .digest(let generation, let digest) = try RevisionID(binary: current.id),
            let legacy = VersionVector.Version(legacy: generation, digest, isCurrent: true),
            tree.rejected.isEmpty
        else { return self }
        let remoteRevisions = Set(tree.remotes.map(\.revision))
        guard tree.conflicts.allSatisfy(remoteRevisions.contains) else { return self }
        var remotes = RemoteRevisions()
        for latest in tree.remotes {
            let remote = Int(latest.number)
            remotes.setRemote(remote, to: try revision(latest.revision, of: tree, remote))
        }
        remotes.setLegacy(.digest(generation: generation, digest: digest))
        var upgraded = self
        upgraded.form = .vector(VersionVector(first: legacy), remotes)
        return upgraded
    }

    private func revision(
        _ index: Int, of tree: RevisionTree, _ remote: Int
    ) throws -> RemoteRevision {
        let revision = tree.revisions[index]
        let body =
            try index == 0
            ? self.body
            : revision.body.map { try document($0) }
        var flags = revision.flags.ofDocument
        if tree.conflicts.contains(index) { flags.insert(.conflicted) }
        return RemoteRevision(
            remote: remote, revisionID: try RevisionID(binary: revision.id), flags: flags,
            properties: body?.root.dictionary)
    }
}

extension Snapshot {
    /// The remotes that documents were replicated with: the number of each, by address.
    ///
    /// ```swift
    /// for (address, number) in try file.read({ try $0.remotes() }) { show(number, address) }
    /// ```
    ///
    /// - Returns: an empty dictionary if nothing was replicated.
    /// - Throws: ``StoreError/Code/corruptData`` if the list is damaged.
    public func remotes() throws -> [String: Int] {
        guard let bytes = try info(InfoKey.remotes), !bytes.isEmpty else { return [:] }
        let document = try? FleeceDocument(trusted: bytes)
        guard let list = document?.root.dictionary else {
            throw StoreError(
                .corruptData, "the list of remotes of \(try connection().path) is damaged (kv_info)"
            )
        }
        return list.reduce(into: [:]) { remotes, pair in
            remotes[pair.key] = pair.value.int.flatMap { Int(exactly: $0) }
        }
    }
}

extension Transaction {
    /// The number of a remote, which is assigned if it has none.
    ///
    /// ```swift
    /// let number = try file.write { try $0.remoteID(of: "wss://example.com/people") }
    /// ```
    ///
    /// Rows refer to remotes by these numbers, so a number is never assigned again.
    ///
    /// - Parameter address: the address of the remote, compared byte by byte.
    /// - Returns: the number, from 1.
    /// - Throws: ``StoreError/Code/corruptData`` if the list is damaged, or its numbers are used
    ///   up.
    public func remoteID(of address: String) throws -> Int {
        var remotes = try remotes()
        if let number = remotes[address] { return number }
        let highest = remotes.values.max() ?? 0
        guard (0..<RemoteRevisions.maximumRemote).contains(highest) else {
            throw StoreError(
                .corruptData,
                "the list of remotes of \(try connection().path) contains the highest "
                    + "possible number, \(highest) (kv_info)")
        }
        let number = highest + 1
        remotes[address] = number
        // LiteCore writes it without shared keys.
        var encoder = FleeceEncoder()
        encoder.beginDictionary()
        for (address, number) in remotes.sorted(by: { $0.key < $1.key }) {
            try encoder.writeKey(address)
            encoder.writeInt(number)
        }
        try encoder.endDictionary()
        try putInfo(InfoKey.remotes, try encoder.finish())
        return number
    }
}
