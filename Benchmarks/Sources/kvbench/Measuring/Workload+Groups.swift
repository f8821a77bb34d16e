import BenchmarkReport

extension Workload {
    /// All workloads; those measured in turns with each other form a group.
    static var groups: [[Workload]] {
        FleeceWorkloads.groups() + [UnfriendlyWorkloads.all()] + [ReadingWorkloads.all()]
            + CodableWorkloads.groups() + SQLWorkloads.groups()
            + EncryptionWorkloads.groups() + StoreWorkloads.groups() + StandardWorkloads.groups()
    }

    /// The workload with a name.
    static func named(_ name: String) throws -> Workload {
        guard let workload = groups.joined().first(where: { $0.name == name }) else {
            throw BenchmarkError(
                message: "there is no workload \"\(name)\"; see kvbench run --list")
        }
        return workload
    }

    /// Its role in a group that has these baselines.
    func role(baselines: Set<String>) -> WorkloadResult.Role {
        if isPeer { return .peer }
        return baselines.contains(name) ? .baseline : .engine
    }
}
