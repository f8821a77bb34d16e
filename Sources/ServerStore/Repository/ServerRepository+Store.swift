internal import DocumentStore

extension ServerRepository {
    /// Returns the repository over a store.
    ///
    /// Reads use the store's list in memory, which is created again when the file has changed; each
    /// write is atomic. The members block the calling thread; tasks use ``async``.
    /// ```swift
    /// let executor = DatabaseExecutor(didStoreServers: { servers in print(servers.count) })
    /// let repository = ServerRepository.live(store: serverStore, executor: executor)
    /// ```
    ///
    /// - Parameters:
    ///   - store: the store; `closeConnection` closes its file.
    ///   - executor: the callbacks for writes, called on the writing thread after the commit.
    /// - Returns: a repository whose members throw as ``ServerStore`` does, and
    ///   ``ServerStoreError`` with ``ServerStoreError/Code/closed`` after `closeConnection`.
    public static func live(
        store: ServerStore, executor: DatabaseExecutor = DatabaseExecutor()
    ) -> ServerRepository {
        live(executor: executor, store: { store }, close: { store.file.close() })
    }

    /// Returns the repository over a database.
    ///
    /// The first call of a member opens the database; it throws if that fails, and the next call
    /// tries again. See ``DatabaseConfiguration`` for what repositories share.
    ///
    /// - Parameter configuration: the database, with the callbacks for writes.
    /// - Returns: a repository that keeps the database open.
    public static func live(configuration: DatabaseConfiguration) -> ServerRepository {
        let connection = configuration.connection
        return live(
            executor: configuration.executor, store: { try connection.store() },
            close: { connection.close() })
    }

    /// The repository over a store that is opened on demand.
    static func live(
        executor: DatabaseExecutor, store: @escaping @Sendable () throws -> ServerStore,
        close: @escaping @Sendable () -> Void
    ) -> ServerRepository {
        var repository = ServerRepository(closeConnection: close)
        repository.implementReading { try whileOpen { try store().currentList() } }
        repository.change(executor: executor, store: store)
        return repository
    }

    /// Implements the members that write, and those of metadata, over a store.
    private mutating func change(
        executor: DatabaseExecutor, store: @escaping @Sendable () throws -> ServerStore
    ) {
        upsertServers = { servers in
            let change = try write(to: store) { try $0.upsert(servers, in: $1) }
            executor.didStoreServers(servers)
            return change
        }
        upsertLoads = { loads in
            let change = try write(to: store) { try $0.update(loads: loads, in: $1) }
            executor.didUpdateLoads(loads)
            return change
        }
        replaceList = { servers, scope, metadata, allowsEmpty in
            let change = try write(to: store) {
                try $0.replaceList(
                    servers, scope: scope, metadata: metadata, allowsEmpty: allowsEmpty, in: $1)
            }
            executor.didStoreServers(servers)
            return change
        }
        deleteServers = { ids, maxTier in
            try write(to: store) {
                try $0.deleteServers(withIDsNotIn: ids, maxTier: maxTier, in: $1)
            }
        }
        getMetadata = { key in
            try whileOpen {
                let store = try store()
                return try store.read { try store.metadata(key, in: $0) }
            }
        }
        setMetadata = { value, key in
            try write(to: store) { try $0.setMetadata(value, for: key, in: $1) }
        }
    }
}

private func write<T>(
    to store: () throws -> ServerStore, _ body: (ServerStore, Transaction) throws -> T
) throws -> T {
    try whileOpen {
        let store = try store()
        return try store.write { try body(store, $0) }
    }
}

/// Converts the error of a closed file into an error of this library.
private func whileOpen<T>(_ body: () throws -> T) throws -> T {
    do {
        return try body()
    } catch let error as StoreError where error.has(.notOpen) {
        throw ServerStoreError(
            .closed, "the connection of this ServerRepository was closed: create another one")
    }
}
