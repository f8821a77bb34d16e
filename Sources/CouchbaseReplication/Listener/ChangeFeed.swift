internal import BLIP
internal import BLIPWebSocket
internal import DataFileCore
internal import FleeceLite
internal import Replication
internal import StoreFormat

/// Tells a client of the changes of a collection, and sends the revisions that it wants.
struct ChangeFeed: Sendable {
    /// What a client asks for: the message `subChanges`.
    struct Subscription: Sendable {
        let since: Int64
        let isContinuous: Bool
        /// Whether deletions are left out, until the client has all that exists.
        let isActiveOnly: Bool
        /// Whether a newer revision is sent instead of one that is gone.
        let acceptsReplacements: Bool
        let ids: Set<ExactString>?

        init(_ message: BLIPMessage) throws {
            let properties = message.properties
            since = properties.int("since") ?? 0
            isContinuous = properties.bool("continuous")
            isActiveOnly = properties.bool("activeOnly")
            acceptsReplacements = properties.bool("sendReplacementRevs")
            guard !message.body.isEmpty else {
                ids = nil
                return
            }
            guard let members = try? JSONBody.value(message.body).dictionary else {
                throw BLIPErrorResponse("BLIP", 400, "Invalid JSON body")
            }
            ids = members["docIDs"]?.array.map {
                Set($0.compactMap(\.string).map { ExactString($0) })
            }
        }
    }

    /// The changes in a message.
    private static let batchCount = 200
    /// The messages whose revisions are not all sent and answered.
    private static let maximumMessages = 5

    private let socket: BLIPSocket
    private let index: Int
    private let collection: DocumentCollection
    private let database: ReplicatedDatabase
    private let received: ReceivedRevisionIDs
    private let subscription: Subscription
    private let changes: KeyStoreChangeStream

    init(
        _ socket: BLIPSocket, _ index: Int, _ collection: DocumentCollection,
        _ database: ReplicatedDatabase, _ received: ReceivedRevisionIDs,
        _ subscription: Subscription
    ) async throws {
        self.socket = socket
        self.index = index
        self.collection = collection
        self.database = database
        self.received = received
        self.subscription = subscription
        // Before the first look, so that no change is missed.
        changes = try await database.file.changes(of: [collection.keyStore])[0]
    }

    /// Until the client has everything, or, if it wants further changes, until the connection is
    /// closed.
    func run() async {
        do {
            try await send()
        } catch {
            // The connection is closed, or the file cannot be read: the client finds that out.
            if !Task.isCancelled { await socket.close(1011, "\(error)") }
        }
        received.unsubscribe()
    }

    private func send() async throws {
        var position = subscription.since
        let revisions = RevisionSender(socket, index, collection, database, subscription)
        position = try await sendAll(after: position, revisions, isFirst: true)
        guard subscription.isContinuous else { return }
        for await _ in changes {
            position = try await sendAll(after: position, revisions, isFirst: false)
        }
    }

    /// Sends all changes after a sequence; returns the last one.
    private func sendAll(
        after sequence: Int64, _ revisions: RevisionSender, isFirst: Bool
    ) async throws -> Int64 {
        var batch = AnnouncedChanges(position: sequence)
        try await withThrowingTaskGroup(of: Void.self) { group in
            var messages = 0
            while !batch.isLast {
                batch = try await next(after: batch.position, isFirst: isFirst)
                guard !batch.items.isEmpty else { continue }
                if messages >= Self.maximumMessages { try await group.next() }
                messages += 1
                let items = batch.items
                let announcement = revisions.announce(items)
                group.addTask { try await revisions.send(items, after: announcement) }
            }
            if isFirst { sayCaughtUp() }
            try await group.waitForAll()
        }
        return batch.position
    }

    private func next(after sequence: Int64, isFirst: Bool) async throws -> AnnouncedChanges {
        let (known, ids) = (database.revisions(of: collection), subscription.ids)
        let includesDeleted = !(isFirst && subscription.isActiveOnly)
        var batch = try await database.file.read { snapshot in
            try known.changes(
                after: sequence, limit: Self.batchCount, includesDeleted: includesDeleted,
                { ids?.contains(ExactString($0.id)) ?? true }, in: snapshot)
        }
        batch.items.removeAll { received.take($0.id, $0.revision) }
        return batch
    }

    /// Tells the client that everything was announced.
    private func sayCaughtUp() {
        socket.post(
            BLIPMessage(
                ["Profile": "changes", "collection": "\(index)"], body: Array("[]".utf8)), .urgent)
    }
}
