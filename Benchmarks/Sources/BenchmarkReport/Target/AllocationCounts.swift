/// How many allocations an item of each kernel of kvgate needs, which no run of kvbench can tell.
public struct AllocationCounts: Sendable, Equatable {
    /// Where they are from, as "swift-6.3-x86_64.json".
    public var source: String
    /// The counts by the names of the kernels.
    public var kernels: [String: Double]

    /// All of it.
    public init(source: String, kernels: [String: Double]) {
        self.source = source
        self.kernels = kernels
    }

    /// The most that one of the kernels needs; throws which of them was not counted.
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
