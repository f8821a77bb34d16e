public import DocumentStore

extension ServerStore {
    /// What is known of the list; nil if nothing is.
    public func metadata(
        _ key: ServerMetadata.Key, in snapshot: Snapshot
    ) throws -> String? {
        try collections.metadata.get(key.rawValue, in: snapshot)?["value"]?.string
    }

    /// Says what is known of the list; nil removes it. What is so already is not written.
    public func setMetadata(
        _ value: String?, for key: ServerMetadata.Key, in transaction: Transaction
    ) throws {
        guard let value else {
            _ = try collections.metadata.purge(key.rawValue, in: transaction)
            return
        }
        guard try metadata(key, in: transaction) != value else { return }
        _ = try collections.metadata.save(key.rawValue, in: transaction) {
            try $0.encode(["value": value])
        }
    }
}

// How often a list was written, so that an answer that comes too late is found out.
extension ServerStore {
    private static var generationID: String { "generation" }

    func generation(in snapshot: Snapshot) throws -> Int64 {
        try collections.metadata.get(Self.generationID, in: snapshot)?["value"]?.int ?? 0
    }

    func setGeneration(_ generation: Int64, in transaction: Transaction) throws {
        _ = try collections.metadata.save(Self.generationID, in: transaction) {
            try $0.encode(["value": generation])
        }
    }
}
