/// The number of allocations for an item of each kernel of kvgate, which kvbench does not count.
public struct AllocationCounts: Sendable, Equatable {
    /// The source of the counts, such as "swift-6.3-x86_64.json".
    public var source: String
    /// The counts by the names of the kernels.
    public var kernels: [String: Double]

    /// Creates counts from their parts.
    public init(source: String, kernels: [String: Double]) {
        self.source = source
        self.kernels = kernels
    }

    /// The maximum over the kernels; throws if one of them was not counted.
    func most(of names: [String]) throws(Unmeasured) -> Double {
        var most = 0.0
        for name in names {
            guard let count = kernels[name] else {
                throw Unmeasured(reason: "no kernel \"\(name)\" in \(source)")
            }
            most = max(most, count)
        }
        return most
    }
}
