package import DataFileCore

/// The file that is replicated, for endpoints whose protocol needs to know something of it.
public struct ReplicatedDatabase: Sendable {
    /// The file.
    package let file: DataFile
    /// The collections that will be opened, as far as they are known.
    package let collections: [ReplicatedCollection]
    /// Whether changes are received after the first ones, too.
    package let isContinuous: Bool
    let identity: LocalIdentity

    init(
        _ file: DataFile, _ identity: LocalIdentity, _ collections: [ReplicatedCollection],
        isContinuous: Bool = false
    ) {
        self.file = file
        self.identity = identity
        self.collections = collections
        self.isContinuous = isContinuous
    }

    /// The same file, with one collection, for a single replication.
    package init(_ database: ReplicatedDatabase, only collection: ReplicatedCollection) {
        self.init(database.file, database.identity, [collection])
    }

    /// The UUID that identifies the file in checkpoints, and remains in the file.
    package var privateUUID: [UInt8] { identity.privateUUID }
    /// The UUID that identifies the file in version vectors.
    package var publicUUID: [UInt8] { identity.publicUUID }

    /// A file whose clients share an address. It is given a number if it has none.
    package init(_ file: DataFile, clients address: String) async throws {
        var identity = try await file.write { try LocalIdentity(address, in: $0) }
        identity.revisionText.keepsTreeRevisions = true
        self.init(file, identity, [])
    }

    /// Writes revisions of other databases into a collection.
    package func received(by collection: DocumentCollection) -> ReceivedRevisions {
        ReceivedRevisions(
            collection: collection, remote: identity.remote, revisionText: identity.revisionText)
    }

    /// Finds out about revisions of a collection's documents.
    package func revisions(of collection: DocumentCollection) -> KnownRevisions {
        KnownRevisions(
            collection: collection, remote: identity.remote, revisionText: identity.revisionText)
    }
}
