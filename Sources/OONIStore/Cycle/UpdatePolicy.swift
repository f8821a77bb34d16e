public import DocumentStore

extension OONIStore {
    /// What to do with a descriptor fetched from OONI's server, as decided by
    /// ``Descriptors/update(with:in:)``.
    public enum DescriptorUpdate: Hashable, Sendable {
        /// Nothing: it is not newer, or its date of change is unknown.
        case none
        /// The same revision with changed strings; it replaces the stored one without asking the
        /// user.
        case minor(TestDescriptor)
        /// A newer revision that is installed without asking the user, since the link is updated
        /// automatically.
        case automatic(TestDescriptor)
        /// A newer revision that needs the user's consent, or a link that the store does not have.
        case offered(TestDescriptor)
        /// A newer revision that the user has already rejected; it is not offered again.
        case rejected(TestDescriptor)
    }
}

extension OONIStore.Descriptors {
    /// Decides what to do with a descriptor fetched from OONI's server; it does not write.
    ///
    /// Properties that belong to this store are copied to it: the date of installation, whether
    /// updates are automatic, and the rejected revision. A descriptor counts as newer if it was
    /// changed later than the stored one: see ``TestDescriptor/dateUpdated``.
    ///
    /// ```swift
    /// let fetched = try await fetchLink("10004")
    /// try await probe.write { transaction in
    ///     switch try probe.descriptors.update(with: fetched, in: transaction) {
    ///     case .minor(let update), .automatic(let update):
    ///         try probe.descriptors.save([update], in: transaction)
    ///     case .offered(let update): show("Install revision \(update.revision)?")
    ///     case .none, .rejected: break
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - fetched: the current descriptor of the link on the server.
    ///   - snapshot: the snapshot in which the stored one is read.
    /// - Returns: the decision, with the descriptor to save.
    public func update(
        with fetched: OONIStore.TestDescriptor, in snapshot: Snapshot
    ) throws -> OONIStore.DescriptorUpdate {
        guard let known = try latest(fetched.runID, in: snapshot) else { return .offered(fetched) }
        guard let newer = fetched.dateUpdated, known.dateUpdated.map({ $0 < newer }) ?? true else {
            return .none
        }
        let update = fetched.keeping(known)
        if fetched.revision < known.revision { return .none }
        if fetched.revision == known.revision { return .minor(update) }
        if fetched.revision == known.rejectedRevision { return .rejected(update) }
        return known.isAutoUpdated ? .automatic(update) : .offered(update)
    }

    /// Installs a link, or a newer revision that the user has accepted.
    ///
    /// Properties that belong to this store (the date of installation, whether updates are
    /// automatic, the rejected revision) are taken from the store as of now, not as of when the
    /// revision was offered.
    ///
    /// ```swift
    /// let link = try await fetchLink("10004")
    /// try await probe.write {
    ///     try probe.descriptors.install(link, at: .init(Date()), in: $0)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - descriptor: the descriptor, as fetched or as offered.
    ///   - now: the date of installation for a link that the store does not have.
    ///   - transaction: the transaction in which it is written.
    /// - Returns: whether it is now the highest revision; a revision lower than the stored one is
    ///   not written.
    /// - Throws: as ``save(_:in:)``.
    @discardableResult
    public func install(
        _ descriptor: OONIStore.TestDescriptor, at now: OONIStore.Instant,
        in transaction: Transaction
    ) throws -> Bool {
        try descriptor.requireKey()
        var installed = descriptor
        if let known = try latest(descriptor.runID, in: transaction) {
            guard known.revision <= descriptor.revision else { return false }
            installed = descriptor.keeping(known)
        } else {
            installed.dateInstalled = now
        }
        try save([installed], in: transaction)
        return true
    }

    /// Applies the updates that do not need consent: saves minor and automatic ones.
    ///
    /// ```swift
    /// let fetched = try OONIStore.TestDescriptor.read(json: json).descriptors
    /// let offered = try probe.write { try probe.descriptors.apply(fetched, in: $0) }
    /// ```
    ///
    /// ``OONIStore/refreshDescriptors(_:retry:fetch:)`` also fetches them.
    ///
    /// - Parameters:
    ///   - fetched: descriptors as fetched from OONI's server.
    ///   - transaction: the transaction in which they are written.
    /// - Returns: the descriptors that need the user's consent.
    /// - Throws: as ``save(_:in:)``.
    public func apply(
        _ fetched: some Sequence<OONIStore.TestDescriptor>, in transaction: Transaction
    ) throws -> [OONIStore.TestDescriptor] {
        var refresh = OONIStore.DescriptorRefresh()
        for descriptor in fetched { try apply(descriptor, &refresh, in: transaction) }
        return refresh.offered
    }

    /// Applies one update and records the outcome.
    func apply(
        _ fetched: OONIStore.TestDescriptor, _ refresh: inout OONIStore.DescriptorRefresh,
        in transaction: Transaction
    ) throws {
        switch try update(with: fetched, in: transaction) {
        case .none: break
        case .minor(let update), .automatic(let update):
            try save([update], in: transaction)
            refresh.saved.append(update.key)
        case .offered(let update): refresh.offered.append(update)
        case .rejected(let update): refresh.rejected.append(update.key)
        }
    }
}

extension OONIStore.TestDescriptor {
    /// A copy with the properties that belong to the store and not to OONI's server.
    fileprivate func keeping(_ known: Self) -> Self {
        var descriptor = self
        descriptor.dateInstalled = known.dateInstalled
        descriptor.isAutoUpdated = known.isAutoUpdated
        descriptor.rejectedRevision = known.rejectedRevision
        descriptor.revisions = revisions ?? known.revisions
        return descriptor
    }
}
