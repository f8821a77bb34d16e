extension ReplayScenario {
    /// Scenarios in which a replicator does not do what LiteCore did, and why.
    static let knownActive: [String: String] = {
        var reasons: [String: String] = [:]
        for (reason, names) in groups { for name in names { reasons[name] = reason } }
        return reasons
    }()

    private static let groups: [(String, [String])] = [
        (
            "not a defect: LiteCore ran with a setting that does not exist here",
            [
                "rt_auto_purge_off", "rt_checkpoint_reset", "rt_same_change", "rt_skip_deleted",
                "vv_auto_purge_off", "vv_checkpoint_reset", "vv_same_change", "vv_skip_deleted",
            ]
        ),
        (
            "not a defect: LiteCore reports the refusal, too, and closes normally",
            [
                "rt_channels", "rt_named_filter", "rt_wrong_collection",
                "vv_active_to_rt_passive_forced", "vv_channels", "vv_named_filter",
                "vv_wrong_collection",
            ]
        ),
        (
            // Then the next change of the remote, which does not know it, would be a conflict.
            "not a defect: a vector of the remote that wins does not include the local version",
            ["vv_conflict_both", "vv_conflict_pull"]
        ),
        (
            "not a defect: Couchbase Lite does not resolve conflicts so",
            ["rt_conflict_pull_local_wins", "vv_conflict_pull_local_wins"]
        ),
        (
            "not a defect: each run proposes again what was refused or is not verified",
            ["rt_conflict_push", "rt_gap_checkpoint", "vv_conflict_push", "vv_gap_checkpoint"]
        ),
        (
            // The base of a proposal is then the one that the remote names when it refuses it.
            "not a defect: what was pushed is not known if the document changed meanwhile",
            ["rt_continuous_push", "vv_continuous_push"]
        ),
        (
            "not a defect: the checkpoint includes the sequences of pulled documents",
            [
                "rt_conflict_both", "rt_conflict_pull", "rt_continuous_both", "rt_doc_ids",
                "rt_purged_between", "vv_continuous_both", "vv_doc_ids", "vv_purged_between",
            ]
        ),
        ("not a defect: a refused revision is answered as received", ["rt_filters", "vv_filters"]),
        (
            "not a defect: how much is stored when a connection is cut",
            [
                "rt_interrupted", "rt_interrupted_reset", "vv_interrupted",
                "vv_interrupted_reset",
            ]
        ),
        (depth, ["rt_many_revs"]),
        (
            // What a document was before an upgrade is not asked for. A sequence differs, since the
            // file begins with the current revisions only.
            "not a defect: an older revision is known", ["upgrade_rt_to_vv"]
        ),
        (
            "not a defect: the script changes settings of LiteCore while it runs",
            ["rt_probe_server", "rt_probe_server2", "vv_probe_server", "vv_probe_server2"]
        ),
    ]
}
