internal import DocumentStore
internal import KVToolCore
internal import Replication

/// Replicates a database with a server, and shows what happens.
struct SyncRun {
    let database: DatabaseArguments
    let endpoint: any ReplicationEndpoint
    let documents: SyncDocuments
    let direction: ReplicatedCollection.Direction
    let resolver: ConflictResolver
    let continuous: Bool
    /// Whether a database is created whatever its name is.
    let creates: Bool
    let output: OutputArguments

    func run() async throws {
        try database.address.requireNoDocument()
        let settings = try documents.settings(database, direction, resolver)
        let new = NewDatabase(database.path)
        if !creates { try new.requireName() }
        let file = try new.opening { try database.open(.create) }
        do {
            try await documents.requireExisting(
                database, file, endpoint, pulls: direction != .push, waits: continuous)
            try await replicate(file, settings)
        } catch {
            // As after a wrong address.
            new.removeIfEmpty(file)
            throw error
        }
    }

    private func replicate(_ file: DataFile, _ settings: SyncSettings) async throws {
        let replicator = try documents.replicator(database, file, endpoint, settings)
        let events = SyncEvents(output, isContinuous: continuous)
        defer { events.finish() }
        guard !continuous else { return try await follow(replicator, events) }
        let report = try await SyncFailure.converting {
            try await replicator.run { events.show($0) }
        }
        events.finish()
        try events.check()
        if !events.writesObjects {
            try SyncReport(path: file.path, address: endpoint.address, report: report)
                .write(output)
        }
        if report.rejectionCount > 0 { throw ReportedFailure(status: .partial) }
        if report.keptConflictCount > 0 { throw ReportedFailure(status: .conflict) }
    }

    /// Replicates until Ctrl-C, or an error that does not pass.
    private func follow(_ replicator: Replicator, _ events: SyncEvents) async throws {
        var last: ReplicatorStatus?
        for await status in replicator.start() {
            events.show(status)
            try events.check()
            last = status
        }
        if Task.isCancelled { throw ReportedFailure(status: .interrupted) }
        if let error = last?.lastError { try await SyncFailure.converting { throw error } }
    }
}
