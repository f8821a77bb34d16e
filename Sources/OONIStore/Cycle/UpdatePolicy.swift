public import DocumentStore

extension OONIStore {
    /// What is to be done with a descriptor that OONI's server has.
    public enum DescriptorUpdate: Hashable, Sendable {
        /// Nothing: it is not newer.
        case none
        /// The same revision with other texts, which replaces what is there.
        case minor(TestDescriptor)
        /// A newer revision, which is installed without a question.
        case automatic(TestDescriptor)
        /// A newer revision, about which the user is asked.
        case offered(TestDescriptor)
        /// A newer revision, which the user has refused before.
        case rejected(TestDescriptor)
    }
}

extension OONIStore.Descriptors {
    /// What is to be done with a descriptor that OONI's server has.
    ///
    /// What belongs to this store goes over to it: when it was installed, whether newer ones are
    /// asked for, and which one was refused.
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

    /// Installs a link, or a newer revision of it that the user has agreed to. What belongs to this
    /// store is as it is now, not as it was when the revision was offered: when the link was
    /// installed, whether newer ones are asked for, and which one was refused.
    ///
    /// - Parameter now: when a link is installed that the store does not have.
    /// - Returns: whether it is the highest revision then; a lower one than the store has is not
    ///   written.
    ///
    /// Throws as `save(_:in:)` does.
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

    /// Does what needs no question: saves minor updates and automatic ones.
    ///
    /// - Returns: those that the user is to be asked about.
    public func apply(
        _ fetched: some Sequence<OONIStore.TestDescriptor>, in transaction: Transaction
    ) throws -> [OONIStore.TestDescriptor] {
        var refresh = OONIStore.DescriptorRefresh()
        for descriptor in fetched { try apply(descriptor, &refresh, in: transaction) }
        return refresh.offered
    }

    /// The same of one, noted with what became of others.
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
    /// The same with what belongs to the store, and not to OONI's server.
    fileprivate func keeping(_ known: Self) -> Self {
        var descriptor = self
        descriptor.dateInstalled = known.dateInstalled
        descriptor.isAutoUpdated = known.isAutoUpdated
        descriptor.rejectedRevision = known.rejectedRevision
        descriptor.revisions = revisions ?? known.revisions
        return descriptor
    }
}
