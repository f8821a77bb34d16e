import BenchmarkReport

extension Workload {
    /// All of them, those that are measured in turns with each other in one group.
    static var groups: [[Workload]] {
        FleeceWorkloads.groups() + [UnfriendlyWorkloads.all()] + [ReadingWorkloads.all()]
            + CodableWorkloads.groups() + SQLWorkloads.groups() + StoreWorkloads.groups()
    }

    /// What it is in a group that has these floors.
    func role(floors: Set<String>) -> WorkloadResult.Role {
        if isPeer { return .peer }
        return floors.contains(name) ? .floor : .engine
    }
}
