public import DocumentStore

extension OONIStore {
    /// The descriptors of a store, with all their revisions: the collection `ooni.descriptors`.
    ///
    /// Old results show the revision that they ran under, so revisions stay until the link is
    /// deleted. After each write, only the highest revision of a link has nettests, in whatever
    /// order revisions arrive.
    ///
    /// ```swift
    /// let cards = try probe.read { snapshot in
    ///     try probe.descriptors.sorted(at: .init(Date()), in: snapshot)
    /// }
    /// for descriptor in cards { show(descriptor.name, descriptor.nettests?.count ?? 0) }
    /// ```
    ///
    /// Writing has two levels. ``install(_:at:in:)``, ``update(with:in:)`` and
    /// ``OONIStore/refreshDescriptors(_:retry:fetch:)`` preserve the settings of the user;
    /// ``save(_:in:)`` writes descriptors as they are.
    public struct Descriptors: Sendable {
        let store: Collections
        var entities: Entities<TestDescriptor> { store.descriptors }
    }
}

// Reading.
extension OONIStore.Descriptors {
    /// The collection `ooni.descriptors`, for ``OONIStore/observe(of:_:)`` and queries.
    public var collection: DocumentCollection { entities.collection }

    /// One revision of a link; one lookup by key.
    ///
    /// - Parameters:
    ///   - key: the link and its revision.
    ///   - snapshot: the snapshot in which it is read.
    /// - Returns: the descriptor; nil if the store does not have it.
    /// - Throws: a `StoreError`, or a `DecodingError` for a document that cannot be read.
    public func get(
        _ key: OONIStore.TestDescriptor.Key, in snapshot: Snapshot
    ) throws -> OONIStore.TestDescriptor? {
        try entities.get(key.documentID, in: snapshot)
    }

    /// The highest revision of a link: the one that is run. Two lookups by key.
    ///
    /// ```swift
    /// let current = try probe.read { try probe.descriptors.latest("10004", in: $0) }
    /// let tests = current?.nettests ?? []
    /// ```
    ///
    /// - Parameters:
    ///   - runID: the number of the link, or of a default card.
    ///   - snapshot: the snapshot in which it is read.
    /// - Returns: the descriptor; nil if the store has none.
    public func latest(
        _ runID: String, in snapshot: Snapshot
    ) throws -> OONIStore.TestDescriptor? {
        try entities.lastKey(prefix: OONIStore.TestDescriptor.Key.prefix(runID), in: snapshot)
            .flatMap { try entities.get($0, in: snapshot) }
    }

    /// The highest revisions of some links, in the order of their numbers.
    ///
    /// - Parameters:
    ///   - runIDs: the numbers of the links; those that the store does not have are skipped.
    ///   - snapshot: the snapshot in which they are read.
    /// - Returns: the descriptors, one for each link.
    public func latest(
        of runIDs: Set<String>, in snapshot: Snapshot
    ) throws -> [OONIStore.TestDescriptor] {
        try runIDs.sorted().compactMap { try latest($0, in: snapshot) }
    }

    /// All revisions, by link and revision.
    ///
    /// Reads the whole collection. Documents that cannot be read are skipped.
    public func all(in snapshot: Snapshot) throws -> [OONIStore.TestDescriptor] {
        try entities.all(in: snapshot)
    }

    /// The highest revision of each link, in the order of their numbers. Reads all revisions.
    public func allLatest(in snapshot: Snapshot) throws -> [OONIStore.TestDescriptor] {
        try all(in: snapshot).reduce(into: []) { latest, descriptor in
            if latest.last?.runID == descriptor.runID { latest.removeLast() }
            latest.append(descriptor)
        }
    }

    /// The highest revisions in display order: links before default cards, expired ones last, then
    /// by date of installation, newest first.
    ///
    /// ```swift
    /// let list = try probe.read { try probe.descriptors.sorted(at: .init(Date()), in: $0) }
    /// let links = list.filter { $0.defaultCard == nil }
    /// ```
    ///
    /// - Parameters:
    ///   - now: the time at which a descriptor counts as expired.
    ///   - snapshot: the snapshot in which they are read.
    /// - Returns: the descriptors. Expired links precede default cards.
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

    /// All revisions of a link, lowest first. Reads one range of keys.
    ///
    /// - Parameters:
    ///   - runID: the number of the link.
    ///   - snapshot: the snapshot in which they are read.
    /// - Returns: the revisions; empty if the store does not have the link.
    public func revisions(
        _ runID: String, in snapshot: Snapshot
    ) throws -> [OONIStore.TestDescriptor] {
        try entities.values(
            prefix: OONIStore.TestDescriptor.Key.prefix(runID), in: snapshot)
    }

    /// The descriptor that a result was run with, in that revision.
    ///
    /// A result of a default card without a revision, as old apps have written them, gets the
    /// card's highest revision.
    ///
    /// ```swift
    /// let name = try probe.read { snapshot in
    ///     guard let result = try probe.results.latest(in: snapshot) else { return "" }
    ///     return switch try probe.descriptors.descriptor(of: result, in: snapshot) {
    ///     case .known(let descriptor): descriptor.name
    ///     case .placeholder(let reference): reference.filterKey ?? "unknown"
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - result: the result.
    ///   - snapshot: the snapshot in which the descriptor is read.
    /// - Returns: the descriptor or, if it is not in the store, for example after its deletion, a
    ///   placeholder with the result's reference. For many results use ``Results/shown(_:in:)``,
    ///   which reads each descriptor once.
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
    /// The descriptor shown with a result: see ``Descriptors/descriptor(of:in:)``.
    public enum ShownDescriptor: Hashable, Sendable {
        /// The descriptor that it ran under, in that revision.
        case known(TestDescriptor)
        /// The descriptor is not in the store; this is the result's reference to it. Show its
        /// number, or the name of the card.
        case placeholder(DescriptorReference)
    }
}

// Writing.
extension OONIStore.Descriptors {
    /// Adds descriptors; existing revisions stay unchanged.
    ///
    /// Use it at the start of the app for the cards that it includes. Of two with the same
    /// revision, the first one is used.
    ///
    /// ```swift
    /// let card = OONIStore.TestDescriptor(
    ///     runID: OONIStore.DefaultCard.websites.runID, revision: 1, name: "Websites",
    ///     nettests: [.init(.webConnectivity)])
    /// let new = try probe.write { try probe.descriptors.insert([card], in: $0) }
    /// ```
    ///
    /// - Parameters:
    ///   - descriptors: the descriptors.
    ///   - transaction: the transaction in which they are written.
    /// - Returns: the keys of the descriptors that were new.
    /// - Throws: as ``save(_:in:)``.
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

    /// Writes descriptors unchanged, replacing those of the same revision.
    ///
    /// For descriptors from OONI's server use ``install(_:at:in:)`` or ``apply(_:in:)``, which
    /// preserve the settings of the user. The websites of their tests are registered without
    /// overwriting what is known about them. Properties of a stored document that this version does
    /// not know are retained.
    ///
    /// - Parameters:
    ///   - descriptors: the descriptors, of any links and in any order.
    ///   - transaction: the transaction in which they are written.
    /// - Throws: ``OONIStoreError/Code/invalidDescriptor`` for one without a number or with a
    ///   revision below 0; all are checked before the first is written.
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
    /// - Parameters:
    ///   - isAutoUpdated: whether ``update(with:in:)`` decides for an automatic update.
    ///   - runID: the number of the link.
    ///   - transaction: the transaction in which it is written.
    /// - Throws: ``OONIStoreError/Code/unknownDescriptor`` if the store does not have the link.
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

    /// Records that the user has rejected a newer revision, which is then not offered again.
    ///
    /// ```swift
    /// try probe.write { try probe.descriptors.setRejectedRevision(4, "10004", in: $0) }
    /// ```
    ///
    /// - Parameters:
    ///   - revision: the rejected revision; nil resets it.
    ///   - runID: the number of the link.
    ///   - transaction: the transaction in which it is written.
    /// - Throws: ``OONIStoreError/Code/unknownDescriptor`` if the store does not have the link.
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

    /// The numbers of the revisions before this one, newest first: those of ``revisions`` or, where
    /// that is nil, all from 1 on.
    ///
    /// Revisions written by another application may be in the billions, so without a list the
    /// sequence is computed, not stored.
    ///
    /// ```swift
    /// for revision in link.previousRevisions.prefix(10) { show("Revision \(revision)") }
    /// ```
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
