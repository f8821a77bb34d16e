import Testing

extension ReplayScenario {
    private static let filters = "not a defect: a listener has no filters"
    private static let echo = "not a defect: whether a connection is told what it has sent itself"
    private static let cut = "not a defect: how much is stored when a connection is cut"
    static let depth = "not a defect: LiteCore stores more ancestors where it was sent a gap"
    private static let scripted = "not a defect: the script sends what LiteCore takes for valid"

    /// Scenarios in which a listener does not do what LiteCore did, and why.
    static let knownPassive = [
        "rt_conflict_pull_local_wins": "not a defect: a listener stores no conflicts",
        "vv_active_to_rt_passive_forced": "not a defect: LiteCore was made to accept it",
        "rt_filters_passive": filters, "vv_filters_passive": filters,
        "rt_gap_checkpoint": filters, "vv_gap_checkpoint": filters,
        "rt_push_only_passive": filters, "vv_push_only_passive": filters,
        "rt_interrupted_push": cut, "vv_interrupted_push": cut, "rt_interrupted": cut,
        "vv_interrupted": cut, "rt_interrupted_reset": cut, "vv_interrupted_reset": cut,
        "rt_probe_checkpoints": scripted, "vv_probe_checkpoints": scripted,
        "rt_probe_pull": scripted, "vv_probe_pull": scripted,
        "rt_probe_push": scripted, "vv_probe_push": scripted,
        "rt_continuous_both": echo, "vv_continuous_both": echo,
        "rt_many_revs": depth,
    ]

    /// Whether the difference depends on what was on its way when a connection was cut, or a change
    /// was made.
    static func dependsOnTiming(_ name: String) -> Bool {
        name.contains("interrupted") || name.contains("continuous")
    }

    /// Expects that a scenario has no differences, or has some if there is a reason for them.
    static func expectNone(
        of differences: [String], _ name: String, known reason: String?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let comment: Comment = "\(name):\n\(differences.joined(separator: "\n"))"
        guard let reason else {
            #expect(differences.isEmpty, comment, sourceLocation: sourceLocation)
            return
        }
        withKnownIssue("\(reason)", isIntermittent: dependsOnTiming(name)) {
            #expect(differences.isEmpty, comment, sourceLocation: sourceLocation)
        }
    }
}
