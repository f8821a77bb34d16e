internal import DataFileCore
internal import StorePlatform

/// Sets a signal after changes of collections, until it is cancelled.
final class FileChanges: Sendable {
    let signal = ChangeSignal()
    private let file: DataFile
    private let observed = Locked<[CollectionName: Task<Void, Never>]>([:])

    init(_ file: DataFile) {
        self.file = file
    }

    /// Observes collections, from now on; they must exist.
    func observe(_ collections: [DocumentCollection]) async throws {
        let new = observed.withLock { observed in
            collections.filter { observed[$0.name] == nil }
        }
        guard !new.isEmpty else { return }
        let streams = try await file.changes(of: new.map(\.keyStore))
        let signal = signal
        observed.withLock { observed in
            for (collection, stream) in zip(new, streams) {
                observed[collection.name] = Task {
                    for await _ in stream { signal.set() }
                }
            }
        }
    }

    func cancel() {
        observed.withLock { observed in
            for task in observed.values { task.cancel() }
        }
    }
}
