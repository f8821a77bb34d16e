/// Workloads that are measured against one baseline, including the baseline.
struct WorkloadGroup {
    /// The title of the group.
    private(set) var title: String
    /// The baseline, then the others in order.
    let members: [WorkloadResult]
    /// The common prefix of the members' names.
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

    /// A member's name without the common prefix.
    func label(_ member: WorkloadResult) -> String {
        let rest = Self.rest(of: member.name, after: common)
        return rest.isEmpty ? "this project" : rest
    }

    private static func rest(of name: String, after common: String) -> String {
        String(name.dropFirst(common.count).drop { separators.contains($0) || $0 == " " })
    }

    /// The groups that have a baseline, in the order of the baselines.
    static func all(of workloads: [WorkloadResult]) -> [WorkloadGroup] {
        let baselines = Set(workloads.compactMap(\.baseline))
        let groups = workloads.filter { baselines.contains($0.name) }.map { baseline in
            WorkloadGroup(baseline: baseline, workloads.filter { $0.baseline == baseline.name })
        }
        // Groups with equal titles are ambiguous: the later ones get longer titles.
        var titles: Set<String> = []
        return groups.map { group in
            titles.insert(group.title).inserted ? group : group.titledWithoutBaseline
        }
    }

    /// The workloads outside of groups.
    static func others(of run: BenchmarkRun) -> [WorkloadResult] {
        let baselines = Set(run.workloads.map(\.name))
        let used = Set(run.workloads.compactMap(\.baseline))
        return run.workloads.filter { workload in
            !used.contains(workload.name) && !(workload.baseline.map(baselines.contains) ?? false)
        }
    }

    // Titles.

    private static let separators = ":,"

    /// The common prefix of all names, if it is long enough; if it is a single word, or part of
    /// one, the common prefix of the others, or a title that mentions the baseline.
    static func title(_ baseline: String, _ others: [String]) -> String {
        let (all, own) = (common([baseline] + others), common(others))
        if others.contains(all) || all.contains(where: separators.contains) { return all }
        if own.count > all.count { return own }
        return (all.isEmpty ? "" : all + ", ") + "beside " + rest(of: baseline, after: all)
    }

    /// The common prefix up to the end of a name, a colon or a comma.
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

    /// The areas: "store" for "store: insert", and one for names without such a word.
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
