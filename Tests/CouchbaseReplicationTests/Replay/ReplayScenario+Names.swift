import ProjectTestSupport

extension ReplayScenario {
    /// The scenarios in which LiteCore is the active side; it crashed in one more.
    static let activeNames = names.filter {
        !$0.contains("pythonblip") && (!$0.contains("_probe_") || $0.contains("_server"))
    }

    /// The scenarios in which LiteCore is the passive side; it crashed in one more, and the frames
    /// of one are not valid.
    static let passiveNames = names.filter {
        !$0.contains("_probe_server") && !$0.hasSuffix("_probe_frames")
    }

    /// All but handshakes and crashes.
    private static let names = ReplicationRecording.scenarios.filter {
        !$0.hasPrefix("http_") && !$0.contains("_probe_abort_") && !$0.hasSuffix("_part1")
    }

    /// Whether the databases had trees before. Their state then is known; how they were written is
    /// the scenario with the suffix `_part1`, which other scenarios include.
    var isUpgraded: Bool { name.hasPrefix("upgrade_") }
}
