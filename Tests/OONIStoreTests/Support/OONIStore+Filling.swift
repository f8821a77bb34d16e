import DocumentStore

import OONIStore

extension OONIStore.Instant {
    /// Milliseconds since the beginning of 1970.
    static func at(_ milliseconds: Int64) -> Self { .init(milliseconds: milliseconds) }
}

extension OONIStore {
    /// Begins a result in a transaction of its own.
    @discardableResult
    func begin(
        _ name: String? = "websites", key: TestDescriptor.Key? = nil, at time: Int64 = 1_000,
        _ origin: TaskOrigin = .ooniRun, run: String? = nil, network: Network.ID? = nil
    ) throws -> TestResult {
        try write {
            try results.insert(
                .init(name: name, key: key), at: .at(time), taskOrigin: origin, runID: run,
                networkID: network, in: $0)
        }
    }

    /// Makes a measurement in a transaction of its own, and changes it.
    @discardableResult
    func measure(
        _ test: TestName = .webConnectivity, of result: TestResult.ID, url: String? = nil,
        at time: Int64 = 1_000, _ change: (inout Measurement) -> Void = { $0.isDone = true }
    ) throws -> Measurement {
        try write {
            let new = try measurements.insert(test, of: result, url: url, at: .at(time), in: $0)
            return try measurements.update(new.id, in: $0, change)
        }
    }

    /// Registers a network in a transaction of its own.
    func join(_ asn: String) throws -> Network.ID {
        try write { try networks.register(.init(asn: asn), in: $0) }.id
    }

    /// Saves a descriptor in a transaction of its own.
    @discardableResult
    func install(
        _ link: String, _ revision: Int, _ change: (inout TestDescriptor) -> Void = { _ in }
    ) throws -> TestDescriptor {
        var descriptor = TestDescriptor(
            runID: link, revision: revision, name: "\(link) in \(revision)",
            nettests: [.init(.signal)])
        change(&descriptor)
        try write { try descriptors.save([descriptor], in: $0) }
        return descriptor
    }

    /// The numbers of a list.
    func listed(_ filter: ResultFilter = .all, limit: Int = 100) throws -> [Int64] {
        try read { try results.page(filter, limit: limit, in: $0) }.results.map(\.id.number)
    }
}
