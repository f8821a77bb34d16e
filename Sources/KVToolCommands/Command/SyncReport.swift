internal import DocumentStore
internal import KVToolCore
internal import Replication

/// What a replication did.
struct SyncReport: OneReport {
    let path: String
    let address: String
    let report: ReplicationReport

    var schema: String { "sync" }

    var columns: [Column] {
        [
            Column("collection", "Collection"), Column("id", "ID", isKey: true),
            Column("problem", "Problem"), Column("reason", "Reason"),
        ]
    }

    var rows: [[Cell]] {
        report.conflicts.map { conflict in
            [
                .text(conflict.collection), .text(conflict.id), .text("conflict"),
                .text(conflict.isResolved ? "resolved" : "kept"),
            ]
        }
            + report.rejections.map { rejection in
                [
                    .text(rejection.collection), .text(rejection.id),
                    .text(rejection.isPush ? "not sent" : "not received"), .text(rejection.reason),
                ]
            }
    }

    /// The problems were written as they occurred.
    func writeText() throws {
        var parts = [
            "pushed \(Text.count(report.pushed, "document"))",
            "pulled \(Text.count(report.pulled, "document"))",
        ]
        if report.conflictCount > 0 { parts.append(Text.count(report.conflictCount, "conflict")) }
        if report.keptConflictCount > 0 {
            parts[parts.endIndex - 1] += " (\(report.keptConflictCount) kept)"
        }
        if report.rejectionCount > 0 { parts.append("\(report.rejectionCount) not accepted") }
        try StandardOutput.current.write(parts.joined(separator: ", ") + "\n")
        try writeComparisons()
    }

    private func writeComparisons() throws {
        for name in report.collectionsComparedAgain {
            try StandardOutput.current.write(
                "Another file has replicated \(Text.line(name)) with the identity of this one, or "
                    + "an older copy of this one: everything was compared. kvtool cp gives a copy "
                    + "an identity of its own\n")
        }
        guard report.compared > 0 else { return }
        try StandardOutput.current.write(
            "The server no longer has all of its deletions: compared "
                + "\(Text.count(report.compared, "document")), removed "
                + "\(Text.count(report.removed, "document"))\n")
    }

    var properties: JSONObject {
        var object = JSONObject()
        object.add("database", path)
        object.add("server", address)
        object.add("pushed", report.pushed)
        object.add("pulled", report.pulled)
        object.add("compared", report.compared)
        object.add("removed", report.removed)
        object.add("comparedAgain", report.collectionsComparedAgain)
        object.add("conflicts", report.conflictCount)
        object.add("kept", report.keptConflictCount)
        object.add("rejected", report.rejectionCount)
        object.add("problems", list)
        return object
    }
}
