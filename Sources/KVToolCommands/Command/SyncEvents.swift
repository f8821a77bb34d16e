internal import ArgumentParser
internal import FleeceLite
internal import KVToolCore
internal import Replication

internal import StorePlatform

/// Writes what happens during a replication: its progress to standard error, and conflicts and
/// documents that were not accepted to standard output, as they occur.
final class SyncEvents: Sendable {
    private struct State {
        var conflicts = 0
        var rejections = 0
        var phase: ReplicatorStatus.Phase?
        var shown = (pushed: 0, pulled: 0)
        /// The first error of standard output.
        var failure: (any Error)?
    }

    /// Whether events are JSON objects, one per line.
    let writesObjects: Bool
    private let writesLines: Bool
    private let isContinuous: Bool
    private let state = Locked(State())
    private let progress = SharedProgress("document")
    // Captured from the command, because a replicator reports on its own threads.
    private let output = StandardOutput.current
    private let errors = StandardError.current

    init(_ output: OutputArguments, isContinuous: Bool) {
        self.isContinuous = isContinuous
        writesObjects =
            output.format == .ndjson || isContinuous && output.format == .json
        writesLines = output.isForPeople
    }

    func show(_ status: ReplicatorStatus) {
        let report = status.report
        let done = report.pushed + report.pulled
        progress.update(done, of: status.remaining.map { done + $0 } ?? 0)
        state.withLock { state in
            guard state.failure == nil else { return }
            do {
                try write(report, &state)
                guard status.phase != state.phase else { return }
                state.phase = status.phase
                try write(status, &state)
                if isContinuous { try output.flush() }
            } catch {
                state.failure = error
            }
        }
    }

    /// Throws the error of standard output, if there was one.
    func check() throws {
        if let error = state.withLock({ $0.failure }) { throw error }
    }

    func finish() { progress.finish() }

    private func write(_ report: ReplicationReport, _ state: inout State) throws {
        for conflict in report.conflicts.suffix(report.conflictCount - state.conflicts) {
            try write(conflict)
        }
        for rejection in report.rejections.suffix(report.rejectionCount - state.rejections) {
            try write(rejection)
        }
        (state.conflicts, state.rejections) = (report.conflictCount, report.rejectionCount)
    }

    private func write(_ conflict: ReplicationReport.Conflict) throws {
        if writesObjects {
            var object = JSONObject()
            object.add("event", "conflict")
            object.add("collection", conflict.collection)
            object.add("id", conflict.id)
            object.add("resolved", conflict.isResolved)
            try write(object)
        } else {
            try writeLine(
                "conflict (\(conflict.isResolved ? "resolved" : "kept"))", conflict.collection,
                conflict.id)
        }
    }

    private func write(_ rejection: ReplicationReport.Rejection) throws {
        if writesObjects {
            var object = JSONObject()
            object.add("event", "rejection")
            object.add("collection", rejection.collection)
            object.add("id", rejection.id)
            object.add("direction", rejection.isPush ? "push" : "pull")
            object.add("reason", rejection.reason)
            try write(object)
        } else {
            try writeLine(
                rejection.isPush ? "not sent" : "not received", rejection.collection,
                "\(rejection.id): \(rejection.reason)")
        }
    }

    private func writeLine(_ problem: String, _ collection: String, _ rest: String) throws {
        guard writesLines else { return }
        progress.finish()
        try output.write(Text.line("\(problem): \(collection)/\(rest)") + "\n")
    }

    private func write(_ status: ReplicatorStatus, _ state: inout State) throws {
        if writesObjects { return try write(object(status)) }
        guard isContinuous, writesLines else { return }
        switch status.phase {
        case .waiting(let seconds):
            let reason = (status.lastError as? ReplicationError)?.message ?? "failed"
            let delay = Text.duration(seconds: seconds.rounded(.up))
            errors.write("\(reason); trying again in \(delay)")
        case .idle:
            let totals = (status.report.pushed, status.report.pulled)
            guard totals != state.shown else { return }
            progress.finish()
            try output.write(
                "pushed \(Text.count(totals.0 - state.shown.pushed, "document")), pulled "
                    + "\(Text.count(totals.1 - state.shown.pulled, "document"))\n")
            state.shown = totals
        case .connecting, .busy, .comparing, .stopped: break
        }
    }

    private func object(_ status: ReplicatorStatus) -> JSONObject {
        var object = JSONObject()
        object.add("event", "status")
        object.add("phase", status.phase.name)
        object.add("pushed", status.report.pushed)
        object.add("pulled", status.report.pulled)
        object.add("conflicts", status.report.conflictCount)
        object.add("rejected", status.report.rejectionCount)
        object.add("remaining", status.remaining)
        if let error = status.lastError {
            object.add("error", (error as? ReplicationError)?.message ?? "\(error)")
        }
        if case .waiting(let seconds) = status.phase {
            object.add("retrySeconds", (seconds * 10).rounded() / 10)
        }
        return object
    }

    private func write(_ object: JSONObject) throws {
        try output.write(JSONColours.coloured(object.finished().utf8) + [0x0A])
    }
}

extension ReplicatorStatus.Phase {
    fileprivate var name: String {
        switch self {
        case .connecting: "connecting"
        case .busy: "busy"
        case .comparing: "comparing"
        case .idle: "idle"
        case .waiting: "waiting"
        case .stopped: "stopped"
        }
    }
}
