/// Workloads that are measured against one floor, with it.
struct WorkloadGroup {
    /// What their names have in common.
    let title: String
    /// The floor, then the others in their order.
    let members: [WorkloadResult]

    /// The rest of a member's name.
    func label(_ member: WorkloadResult) -> String {
        let rest = member.name.dropFirst(title.count).drop { ":, ".contains($0) }
        return rest.isEmpty ? "this project" : String(rest)
    }

    /// The groups of a run that have a floor, in the order of the floors.
    static func all(of run: BenchmarkRun) -> [WorkloadGroup] {
        let floors = Set(run.workloads.compactMap(\.floor))
        return run.workloads.filter { floors.contains($0.name) }.map { floor in
            let members = [floor] + run.workloads.filter { $0.floor == floor.name }
            return WorkloadGroup(title: title(members.map(\.name)), members: members)
        }
    }

    /// Those that are in no group.
    static func others(of run: BenchmarkRun) -> [WorkloadResult] {
        let floors = Set(run.workloads.map(\.name))
        let used = Set(run.workloads.compactMap(\.floor))
        return run.workloads.filter { workload in
            !used.contains(workload.name) && !(workload.floor.map(floors.contains) ?? false)
        }
    }

    /// What all begin with, up to a colon or a comma, or all of one of them.
    static func title(_ names: [String]) -> String {
        guard var common = names.first else { return "" }
        for name in names.dropFirst() { common = name.commonPrefix(with: common) }
        if !names.contains(common) {
            let end = common.lastIndex { ":,".contains($0) }
            common = end.map { String(common[..<$0]) } ?? common
        }
        while let last = common.last, ":, ".contains(last) { common.removeLast() }
        return common
    }
}

extension String {
    fileprivate func commonPrefix(with other: String) -> String {
        String(zip(self, other).prefix { $0 == $1 }.map(\.0))
    }
}

/// Groups whose names begin with the same word.
struct WorkloadArea {
    let name: String
    let groups: [WorkloadGroup]

    /// The areas of a run: "store" of "store: insert", and one for what has no such word.
    static func all(of run: BenchmarkRun) -> [WorkloadArea] {
        var order: [String] = []
        var groups: [String: [WorkloadGroup]] = [:]
        for group in WorkloadGroup.all(of: run) {
            let name = name(of: group.members[0].name)
            if groups[name] == nil { order.append(name) }
            groups[name, default: []].append(group)
        }
        return order.map { WorkloadArea(name: $0, groups: groups[$0] ?? []) }
    }

    private static func name(of workload: String) -> String {
        let word = workload.prefix { $0 != ":" && $0 != "," }
        let isWord = word.count < workload.count && word.allSatisfy(\.isLetter)
        return isWord ? String(word) : "Fleece, JSON and coding"
    }
}
