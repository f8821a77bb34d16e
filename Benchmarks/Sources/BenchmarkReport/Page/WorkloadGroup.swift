/// Workloads that are measured against one floor, with it.
struct WorkloadGroup {
    /// What the group is about.
    private(set) var title: String
    /// The floor, then the others in their order.
    let members: [WorkloadResult]
    /// What the members' names have in common.
    private let common: String

    init(baseline: WorkloadResult, _ others: [WorkloadResult]) {
        members = [baseline] + others
        common = Self.common(members.map(\.name))
        title = Self.title(baseline.name, others.map(\.name))
    }

    private var titledWithoutBaseline: WorkloadGroup {
        var group = self
        group.title = Self.common(members.dropFirst().map(\.name))
        return group
    }

    /// The rest of a member's name.
    func label(_ member: WorkloadResult) -> String {
        let rest = Self.rest(of: member.name, after: common)
        return rest.isEmpty ? "this project" : rest
    }

    private static func rest(of name: String, after common: String) -> String {
        String(name.dropFirst(common.count).drop { separators.contains($0) || $0 == " " })
    }

    /// The groups that have a floor, in the order of the floors.
    static func all(of workloads: [WorkloadResult]) -> [WorkloadGroup] {
        let baselines = Set(workloads.compactMap(\.baseline))
        let groups = workloads.filter { baselines.contains($0.name) }.map { baseline in
            WorkloadGroup(baseline: baseline, workloads.filter { $0.baseline == baseline.name })
        }
        // Two cards of one title would be taken for the same: the later ones say more.
        var titles: Set<String> = []
        return groups.map { group in
            titles.insert(group.title).inserted ? group : group.titledWithoutBaseline
        }
    }

    /// Those that are in no group.
    static func others(of run: BenchmarkRun) -> [WorkloadResult] {
        let baselines = Set(run.workloads.map(\.name))
        let used = Set(run.workloads.compactMap(\.baseline))
        return run.workloads.filter { workload in
            !used.contains(workload.name) && !(workload.baseline.map(baselines.contains) ?? false)
        }
    }

    // Titles.

    private static let separators = ":,"

    /// What all names have in common, if that says enough; if it is a single word, or a part of
    /// one, what the others have in common without the floor, or that the floor is beside them.
    static func title(_ baseline: String, _ others: [String]) -> String {
        let (all, own) = (common([baseline] + others), common(others))
        if others.contains(all) || all.contains(where: separators.contains) { return all }
        if own.count > all.count { return own }
        return (all.isEmpty ? "" : all + ", ") + "beside " + rest(of: baseline, after: all)
    }

    /// What all begin with, up to where each ends, or has a colon or a comma.
    static func common(_ names: [String]) -> String {
        guard var common = names.first else { return "" }
        for name in names.dropFirst() { common = name.commonPrefix(with: common) }
        let length = common.count
        let isWhole = names.allSatisfy { name in
            name.dropFirst(length).first.map(separators.contains) ?? true
        }
        if !isWhole, let end = common.lastIndex(where: separators.contains) {
            common = String(common[..<end])
        }
        while let last = common.last, last == " " || separators.contains(last) {
            common.removeLast()
        }
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

    /// The areas: "store" of "store: insert", and one for what has no such word.
    static func all(of workloads: [WorkloadResult]) -> [WorkloadArea] {
        var order: [String] = []
        var groups: [String: [WorkloadGroup]] = [:]
        for group in WorkloadGroup.all(of: workloads) {
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
