import BenchmarkReport

extension Workload {
    /// All of them, those that are measured in turns with each other in one group.
    static var groups: [[Workload]] {
        FleeceWorkloads.groups() + [UnfriendlyWorkloads.all()] + [ReadingWorkloads.all()]
            + CodableWorkloads.groups() + SQLWorkloads.groups()
            + EncryptionWorkloads.groups() + StoreWorkloads.groups()
    }

    /// The one of a name.
    static func named(_ name: String) throws -> Workload {
        guard let workload = groups.joined().first(where: { $0.name == name }) else {
            throw BenchmarkError(
                message: "no workload is called \"\(name)\"; see kvbench run --list")
        }
        return workload
    }

    /// What it is in a group that has these floors.
    func role(baselines: Set<String>) -> WorkloadResult.Role {
        if isPeer { return .peer }
        return baselines.contains(name) ? .baseline : .engine
    }
}
