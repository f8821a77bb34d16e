public import DocumentStore

extension OONIStore {
    /// A result as a list shows it.
    public struct ShownResult: Hashable, Sendable, Identifiable {
        /// The result.
        public let result: TestResult
        /// What it was run with.
        public let descriptor: ShownDescriptor
        /// Where; nil as long as that is not known.
        public let network: Network?

        /// The result's.
        public var id: TestResult.ID { result.id }
    }
}

extension OONIStore.Results {
    /// Results with their descriptors and networks, each of which is read once.
    public func shown(
        _ results: some Sequence<OONIStore.TestResult>, in snapshot: Snapshot
    ) throws -> [OONIStore.ShownResult] {
        var descriptors: [OONIStore.DescriptorReference: OONIStore.ShownDescriptor] = [:]
        var networks: [OONIStore.Network.ID: OONIStore.Network?] = [:]
        return try results.map { result in
            let descriptor =
                try descriptors[result.descriptor]
                ?? OONIStore.Descriptors(store: store).descriptor(of: result, in: snapshot)
            descriptors[result.descriptor] = descriptor
            guard let id = result.networkID else {
                return .init(result: result, descriptor: descriptor, network: nil)
            }
            let network = try networks[id] ?? store.networks.get(id.key, in: snapshot)
            networks[id] = .some(network)
            return .init(result: result, descriptor: descriptor, network: network)
        }
    }
}
