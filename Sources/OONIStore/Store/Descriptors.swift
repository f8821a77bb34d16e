public import DocumentStore

extension OONIStore {
    /// The descriptors of a store, with all their revisions. After each write, only the highest
    /// revision of a link has nettests.
    public struct Descriptors: Sendable {
        let store: Collections
        var entities: Entities<TestDescriptor> { store.descriptors }
    }
}

// Reading.
extension OONIStore.Descriptors {
    /// The collection.
    public var collection: DocumentCollection { entities.collection }

    /// One revision; nil if the store does not have it.
    public func get(
        _ key: OONIStore.TestDescriptor.Key, in snapshot: Snapshot
    ) throws -> OONIStore.TestDescriptor? {
        try entities.get(key.documentID, in: snapshot)
    }

    /// The highest revision of a link; nil if the store has none.
    public func latest(
        _ runID: String, in snapshot: Snapshot
    ) throws -> OONIStore.TestDescriptor? {
        try entities.lastKey(prefix: OONIStore.TestDescriptor.Key.prefix(runID), in: snapshot)
            .flatMap { try entities.get($0, in: snapshot) }
    }

    /// The highest revisions of some links, in the order of their numbers; links that the store
    /// does not have are skipped.
    public func latest(
        of runIDs: Set<String>, in snapshot: Snapshot
    ) throws -> [OONIStore.TestDescriptor] {
        try runIDs.sorted().compactMap { try latest($0, in: snapshot) }
    }

    /// All revisions, by link and revision.
    public func all(in snapshot: Snapshot) throws -> [OONIStore.TestDescriptor] {
        try entities.all(in: snapshot)
    }

    /// The highest revision of each link, in the order of their numbers.
    public func allLatest(in snapshot: Snapshot) throws -> [OONIStore.TestDescriptor] {
        try all(in: snapshot).reduce(into: []) { latest, descriptor in
            if latest.last?.runID == descriptor.runID { latest.removeLast() }
            latest.append(descriptor)
        }
    }

    /// The highest revisions in display order: links before default cards, expired ones last, then
    /// by date of installation, newest first.
    public func sorted(
        at now: OONIStore.Instant, in snapshot: Snapshot
    ) throws -> [OONIStore.TestDescriptor] {
        func rank(_ descriptor: OONIStore.TestDescriptor) -> (Int, Int, Int64, String) {
            (
                descriptor.defaultCard == nil ? 0 : 1, descriptor.isExpired(at: now) ? 1 : 0,
                // Reverses the order without overflow.
                ~(descriptor.dateInstalled?.milliseconds ?? .min), descriptor.runID
            )
        }
        return try allLatest(in: snapshot).sorted { rank($0) < rank($1) }
    }

    /// All revisions of a link, lowest first.
    public func revisions(
        _ runID: String, in snapshot: Snapshot
    ) throws -> [OONIStore.TestDescriptor] {
        try entities.values(
            prefix: OONIStore.TestDescriptor.Key.prefix(runID), in: snapshot)
    }

    /// The descriptor that a result was run with, in that revision. If it is not in the store, for
    /// example after its deletion, a placeholder with the result's reference.
    public func descriptor(
        of result: OONIStore.TestResult, in snapshot: Snapshot
    ) throws -> OONIStore.ShownDescriptor {
        if let key = result.descriptor.key, let known = try get(key, in: snapshot) {
            return .known(known)
        }
        if let name = result.descriptor.name,
            let card = OONIStore.DefaultCard(rawValue: name),
            let known = try latest(card.runID, in: snapshot)
        {
            return .known(known)
        }
        return .placeholder(result.descriptor)
    }
}

extension OONIStore {
    /// The descriptor shown with a result.
    public enum ShownDescriptor: Hashable, Sendable {
        /// The descriptor that it ran under.
        case known(TestDescriptor)
        /// The descriptor is not in the store; this is the result's reference to it.
        case placeholder(DescriptorReference)
    }
}

// Writing.
extension OONIStore.Descriptors {
    /// Adds descriptors; existing revisions stay unchanged. Of two with the same revision, the
    /// first one is used.
    ///
    /// - Returns: the descriptors that were new.
    ///
    /// Throws as `save(_:in:)` does.
    @discardableResult
    public func insert(
        _ descriptors: some Sequence<OONIStore.TestDescriptor>, in transaction: Transaction
    ) throws -> [OONIStore.TestDescriptor.Key] {
        var keys: Set<OONIStore.TestDescriptor.Key> = []
        let new = try descriptors.filter {
            try get($0.key, in: transaction) == nil && keys.insert($0.key).inserted
        }
        try save(new, in: transaction)
        return new.map(\.key)
    }

    /// Writes descriptors unchanged, replacing those of the same revision; for descriptors from
    /// OONI's server use `install`. The websites of their tests are registered without overwriting
    /// what is known about them.
    ///
    /// Throws `.invalidDescriptor` for one without a number or with a revision below 0.
    public func save(
        _ descriptors: some Sequence<OONIStore.TestDescriptor>, in transaction: Transaction
    ) throws {
        let descriptors = Array(descriptors)
        // Checks all first: a caller that catches the error finds the store unchanged.
        for descriptor in descriptors { try descriptor.requireKey() }
        var links: Set<String> = []
        for descriptor in descriptors {
            for test in descriptor.nettests ?? [] where test.testName == .webConnectivity {
                try OONIStore.Urls(store: store).register(
                    test.inputs.map { OONIStore.Url($0) }, in: transaction)
            }
            try put(descriptor, in: transaction)
            links.insert(descriptor.runID)
        }
        for link in links { try clearNettests(link, in: transaction) }
    }

    /// Only the highest revision is run, so only that one needs its nettests.
    private func clearNettests(_ runID: String, in transaction: Transaction) throws {
        for var old in try revisions(runID, in: transaction).dropLast() where old.nettests != nil {
            old.nettests = nil
            try put(old, in: transaction)
        }
    }

    func put(_ descriptor: OONIStore.TestDescriptor, in transaction: Transaction) throws {
        try entities.replace(descriptor, descriptor.key.documentID, in: transaction)
    }

    /// Sets for all revisions of a link whether newer ones are installed without asking the user.
    ///
    /// Throws `.unknownDescriptor`.
    public func setAutoUpdate(
        _ isAutoUpdated: Bool, _ runID: String, in transaction: Transaction
    ) throws {
        let revisions = try revisions(runID, in: transaction)
        guard !revisions.isEmpty else { throw Self.unknown(runID) }
        for var descriptor in revisions where descriptor.isAutoUpdated != isAutoUpdated {
            descriptor.isAutoUpdated = isAutoUpdated
            try put(descriptor, in: transaction)
        }
    }

    /// Records that the user has rejected a newer revision; nil resets it.
    ///
    /// Throws `.unknownDescriptor`.
    public func setRejectedRevision(
        _ revision: Int?, _ runID: String, in transaction: Transaction
    ) throws {
        guard var descriptor = try latest(runID, in: transaction) else {
            throw Self.unknown(runID)
        }
        descriptor.rejectedRevision = revision
        try put(descriptor, in: transaction)
    }

    private static func unknown(_ runID: String) -> OONIStoreError {
        OONIStoreError(.unknownDescriptor, "there is no descriptor \(runID)")
    }
}

extension OONIStore.TestDescriptor {
    func requireKey() throws {
        let isName =
            !runID.isEmpty && runID.utf8.count <= 100 && runID.utf8.first != UInt8(ascii: "_")
            && runID.utf8.allSatisfy { (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "/") }
        guard isName, revision >= 0, revision < Identifiers.bound else {
            throw OONIStoreError(
                .invalidDescriptor,
                "a descriptor needs the number of a link and a revision of 0 or more, not "
                    + "\"\(runID)\" and \(revision)")
        }
    }

    /// The numbers of the revisions before this one, newest first: those of `revisions` or, where
    /// that is nil, all from 1 on. Revisions written by another application may be in the billions,
    /// so the sequence is computed, not stored.
    public var previousRevisions: some RandomAccessCollection<Int> & Sendable {
        let listed = revisions.map { Set($0).filter { $0 < revision }.sorted(by: >) }
        return PreviousRevisions(listed: listed, count: listed?.count ?? max(revision, 1) - 1)
    }
}

/// The listed numbers or, without a list, all from `count` down to 1.
private struct PreviousRevisions: RandomAccessCollection, Sendable {
    let listed: [Int]?
    let count: Int

    var startIndex: Int { 0 }
    var endIndex: Int { count }
    subscript(index: Int) -> Int { listed?[index] ?? count - index }
}

extension OONIStore.TestDescriptor.Key {
    var documentID: String { Self.prefix(runID) + Identifiers.key(Int64(revision)) }

    static func prefix(_ runID: String) -> String { runID + "/" }
}
