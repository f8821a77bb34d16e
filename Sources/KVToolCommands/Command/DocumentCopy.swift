internal import DocumentStore
internal import KVToolCore

/// The copy of documents by `cp` from one database to another, as JSON, after their blobs.
struct DocumentCopy {
    let from: DatabaseArguments
    let to: DatabaseArguments
    let exporter: Exporter
    let options: ImportOptions
    var upgrades = false

    /// The outcome of a copy.
    struct Result: Sendable {
        var documents = 0
        /// The number of documents that existed before.
        var overwritten = 0
        /// The numbers of damaged documents, and of missing or damaged blobs, which were left out.
        var (damaged, blobsLeftOut) = (0, 0)
    }

    /// Copies the documents. A new database is created with the destination collection, and
    /// removed again if the copy fails.
    ///
    /// Damaged documents, and missing or damaged blobs, are left out and counted; everything else
    /// is copied.
    func run() async throws -> Result {
        let newDatabase = NewDatabase(to.path)
        try await requireSource()
        let target = try newDatabase.opening { try to.open(.create, upgrades: upgrades) }
        let committed = CommittedDocuments()
        do {
            try prepare(target, isNew: newDatabase.isNew)
            let result = try await copy(to: target, committed)
            target.close()
            return result
        } catch {
            throw ended(error, committed: newDatabase.remove(target) ? nil : committed.count)
        }
    }

    /// Checks that the source exists, before the destination is created.
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

    /// Creates the collection in a new database; an existing one must have it before blobs are
    /// copied.
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
            var exporter = exporter
            exporter.source = file.path
            let blobs = BlobCopy(from: file, to: target)
            var sink: any DocumentSink = DatabaseSink(target, options, blobs, committed)
            let result = try exporter.run(snapshot, into: &sink)
            try sink.finish()
            // The document was removed since `requireSource`, and has been reported.
            if result.missing > 0 { throw ReportedFailure(status: .notFound) }
            return Result(
                documents: result.count, overwritten: committed.overwrittenCount,
                damaged: result.damaged, blobsLeftOut: blobs.leftOut)
        }
    }

    /// Returns the error that states what a failed copy leaves behind.
    ///
    /// - Parameter committed: how many documents are committed; nil if the new database has been
    ///   removed.
    private func ended(_ error: any Error, committed: Int?) -> any Error {
        let count = committed ?? 0
        let kept = "\(Text.count(count, "document")) copied to \(Text.line(to.path)) and kept"
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
