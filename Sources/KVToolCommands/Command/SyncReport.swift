internal import DocumentStore
internal import KVToolCore
internal import Replication
internal import StorePlatform

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

    func writeText() throws {
        if !rows.isEmpty { try Self.writeTable(columns, rows) }
        let text =
            "pushed \(Text.count(report.pushed, "document")), pulled "
            + "\(Text.count(report.pulled, "document")), "
            + "\(Text.count(report.conflictCount, "conflict"))\n"
        try StandardOutput.current.write(text)
    }

    var properties: JSONObject {
        var object = JSONObject()
        object.add("database", path)
        object.add("server", address)
        object.add("pushed", report.pushed)
        object.add("pulled", report.pulled)
        object.add("conflicts", report.conflictCount)
        object.add("rejected", report.rejectionCount)
        object.add("problems", list)
        return object
    }
}

/// The progress of a replication on standard error.
final class SyncProgress: Sendable {
    private let progress = Locked(Progress("document"))

    func show(_ status: ReplicatorStatus) {
        progress.withLock { $0.update(status.report.pushed + status.report.pulled) }
    }

    func finish() { progress.withLock { $0.finish() } }
}
