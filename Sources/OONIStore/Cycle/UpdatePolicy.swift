public import DataFileCore

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
        var update = fetched
        update.dateInstalled = known.dateInstalled
        update.isAutoUpdated = known.isAutoUpdated
        update.rejectedRevision = known.rejectedRevision
        if fetched.revision < known.revision { return .none }
        if fetched.revision == known.revision { return .minor(update) }
        if fetched.revision == known.rejectedRevision { return .rejected(update) }
        return known.isAutoUpdated ? .automatic(update) : .offered(update)
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
