internal import DocumentStore
internal import KVToolCore

/// Documents that `cp` brings from one database to another one, as JSON, after their blobs.
struct DocumentCopy {
    let from: DatabaseArguments
    let to: DatabaseArguments
    let exporter: Exporter
    let options: ImportOptions
    var upgrades = false

    /// What was done.
    struct Result: Sendable {
        var documents = 0
        /// Those of them that were there before.
        var overwritten = 0
        /// Damaged documents, and blobs that are missing or damaged, which were left out.
        var (damaged, blobsLeftOut) = (0, 0)
    }

    /// Copies them. A new database is made with the collection that they go to, and goes again if
    /// the copy does not come to its end.
    ///
    /// Damaged documents, and blobs that are missing or damaged, keep nothing else from being
    /// copied: they are left out, and counted.
    func run() async throws -> Result {
        let place = NewDatabase(to.path)
        try await requireSource()
        let target = try place.opening { try to.open(.create, upgrades: upgrades) }
        let committed = CommittedDocuments()
        do {
            try prepare(target, isNew: place.isNew)
            let result = try await copy(to: target, committed)
            target.close()
            return result
        } catch {
            throw ended(error, committed: place.remove(target) ? nil : committed.count)
        }
    }

    /// Before the destination is made for nothing.
    private func requireSource() async throws {
        let (collection, selection) = (exporter.collection, exporter.selection)
        try await from.read { _, snapshot in
            guard try collection.exists(in: snapshot) else {
                throw StoreError(.notFound, "there is no collection \(collection.name)")
            }
            _ = try selection?.forEach(in: collection, snapshot, includesDeleted: false) {
                guard case .missing(let name) = $0 else { return false }
                MissingDocument.report(name, collection.name)
                throw ReportedFailure(status: .notFound)
            }
        }
    }

    /// Makes the collection in a new database; another one must have it, before blobs are copied.
    private func prepare(_ target: DataFile, isNew: Bool) throws {
        let collection = options.collection
        if isNew { return try target.write { try collection.create(in: $0) } }
        guard try target.read({ try collection.exists(in: $0) }) else {
            throw StoreError(.notFound, "\(target.path) has no collection \(collection.name)")
        }
    }

    private func copy(
        to target: DataFile, _ committed: CommittedDocuments
    ) async throws -> Result {
        let (exporter, options) = (exporter, options)
        return try await from.read { file, snapshot in
            let blobs = BlobCopy(from: file, to: target)
            var sink: any DocumentSink = DatabaseSink(target, options, blobs, committed)
            let result = try exporter.run(snapshot, into: &sink)
            try sink.finish()
            // It was there a moment ago; it was said that it is not any more.
            if result.missing > 0 { throw ReportedFailure(status: .notFound) }
            return Result(
                documents: result.count, overwritten: committed.overwrittenCount,
                damaged: result.damaged, blobsLeftOut: blobs.leftOut)
        }
    }

    /// The error that says what is left of a copy.
    ///
    /// - Parameter committed: how many documents are; nil if the database that was made for them
    ///   has gone again.
    private func ended(_ error: any Error, committed: Int?) -> any Error {
        let count = committed ?? 0
        let kept = "\(Text.count(count, "document")) copied to \(Text.line(to.path)), and kept"
        switch error {
        case is CancellationError:
            return Interrupted(message: count == 0 ? nothing : kept)
        case let error as StoreError where error.isAboutInterruption && Interruption.isRequested:
            return Interrupted(message: count == 0 ? nothing : kept)
        case let error as StoreError where error.isFullDisk && committed == nil:
            return NewDatabase.failure(error, to.path)
        case let error as StoreError where count > 0:
            let reason =
                error.isFullDisk
                ? "the disk of \(Text.line(to.path)) is full" : error.messageForPeople
            return ToolError("\(reason); \(kept)", status: ExitStatus(error))
        case let error as ToolError where count > 0:
            return ToolError("\(error.message); \(kept)", status: error.status)
        default: return error
        }
    }

    private var nothing: String { "nothing was copied to \(Text.line(to.path))" }
}
