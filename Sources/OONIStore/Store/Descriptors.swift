public import DocumentStore

extension OONIStore {
    /// The descriptors of a store, with all their revisions. Whatever is written, only the highest
    /// revision of a link has its nettests.
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
    /// does not have are left out.
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

    /// The highest revisions as a screen shows them: links before default cards, expired ones
    /// last, and of those alike the one that was installed last.
    public func sorted(
        at now: OONIStore.Instant, in snapshot: Snapshot
    ) throws -> [OONIStore.TestDescriptor] {
        func rank(_ descriptor: OONIStore.TestDescriptor) -> (Int, Int, Int64, String) {
            (
                descriptor.defaultCard == nil ? 0 : 1, descriptor.isExpired(at: now) ? 1 : 0,
                // Turns the order around, of all numbers there are.
                ~(descriptor.dateInstalled?.milliseconds ?? .min), descriptor.runID
            )
        }
        return try allLatest(in: snapshot).sorted { rank($0) < rank($1) }
    }

    /// All revisions of a link, the lowest first.
    public func revisions(
        _ runID: String, in snapshot: Snapshot
    ) throws -> [OONIStore.TestDescriptor] {
        try entities.values(
            prefix: OONIStore.TestDescriptor.Key.prefix(runID), in: snapshot)
    }

    /// What a result was run with, in that revision. Of a descriptor that is not there, as after
    /// it was deleted, a placeholder with what the result says of it.
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
    /// What a result is shown with.
    public enum ShownDescriptor: Hashable, Sendable {
        /// The descriptor that it ran under.
        case known(TestDescriptor)
        /// The descriptor is not in the store; this is what the result says of it.
        case placeholder(DescriptorReference)
    }
}

// Writing.
extension OONIStore.Descriptors {
    /// Adds descriptors; revisions that are there already stay as they are. Of two that are the
    /// same revision the first one counts.
    ///
    /// - Returns: the ones that were new.
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

    /// Writes descriptors as they are, over those of the same revision; `install` is for those of
    /// OONI's server. The websites of their tests are registered, which takes nothing from what is
    /// known of them.
    ///
    /// Throws `.invalidDescriptor` for one without a number or with a revision below 0.
    public func save(
        _ descriptors: some Sequence<OONIStore.TestDescriptor>, in transaction: Transaction
    ) throws {
        let descriptors = Array(descriptors)
        // All of them first: who catches the error finds nothing half done.
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

    /// Says for all revisions of a link whether newer ones are installed without a question.
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

    /// Notes that a newer revision was refused; nil takes that back.
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

    /// The numbers of the revisions before this one, the newest first: those of `revisions` or,
    /// where that is nil, all from 1 on. Revisions that another application wrote may count into
    /// the billions, so nothing is stored for each.
    public var previousRevisions: some RandomAccessCollection<Int> & Sendable {
        let listed = revisions.map { Set($0).filter { $0 < revision }.sorted(by: >) }
        return PreviousRevisions(listed: listed, count: listed?.count ?? max(revision, 1) - 1)
    }
}

/// Listed numbers, or else all from `count` down to 1.
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
