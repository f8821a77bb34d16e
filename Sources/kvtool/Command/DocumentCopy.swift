internal import DataFileCore

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
        /// Damaged documents, and blobs that are missing or damaged, which were left out.
        var (damaged, blobsLeftOut) = (0, 0)
    }

    /// Copies them. A new database is made with the collection that they go to, and is there when
    /// it has them all, or not at all.
    func run() async throws -> Result {
        let isNew = NewDatabase.isNew(to.path)
        try await requireSource()
        let target = try to.open(.create, upgrades: upgrades)
        do {
            try prepare(target, isNew: isNew)
            let result = try await copy(to: target)
            target.close()
            return result
        } catch {
            guard isNew, NewDatabase.remove(target) else { throw error }
            throw Self.failure(error, target.path)
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

    private func copy(to target: DataFile) async throws -> Result {
        let (exporter, options) = (exporter, options)
        return try await from.read { file, snapshot in
            let blobs = BlobCopy(from: file, to: target)
            var sink: any DocumentSink = DatabaseSink(target, options, blobs)
            let result = try exporter.run(snapshot, into: &sink)
            try sink.finish()
            // It was there a moment ago; it was said that it is not any more.
            if result.missing > 0 { throw ReportedFailure(status: .notFound) }
            return Result(
                documents: result.count, damaged: result.damaged, blobsLeftOut: blobs.leftOut)
        }
    }

    /// The error of a copy of which nothing is left.
    private static func failure(_ error: any Error, _ path: String) -> any Error {
        switch error {
        case is CancellationError: Interrupted(message: "nothing was copied to \(path)")
        case let error as StoreError where error.isFullDisk:
            ToolError("the disk is full; \(path) was not made")
        default: error
        }
    }
}
