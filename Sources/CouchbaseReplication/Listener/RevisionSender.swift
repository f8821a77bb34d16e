internal import BLIP
internal import BLIPWebSocket
internal import DataFileCore
internal import FleeceLite
internal import Replication

/// Announces revisions to a client, and sends those that it wants.
actor RevisionSender {
    /// The bytes of revisions of a message that are sent without a response.
    private static let maximumBytes = 400 << 10
    /// The bytes of revisions that are read at once.
    private static let readBytes = 256 << 10

    private let socket: BLIPSocket
    private let index: Int
    private let collection: DocumentCollection
    private let database: ReplicatedDatabase
    private let subscription: ChangeFeed.Subscription
    private var wishes = ReceiverWishes()

    init(
        _ socket: BLIPSocket, _ index: Int, _ collection: DocumentCollection,
        _ database: ReplicatedDatabase, _ subscription: ChangeFeed.Subscription
    ) {
        self.socket = socket
        self.index = index
        self.collection = collection
        self.database = database
        self.subscription = subscription
    }

    /// A revision that the client wants.
    private struct Wanted: Sendable {
        let item: AnnouncedChanges.Item
        let known: [String]
    }

    /// Announces changes.
    nonisolated func announce(_ items: [AnnouncedChanges.Item]) -> BLIPPendingResponse {
        socket.start(
            BLIPMessage(
                ["Profile": "changes", "collection": "\(index)"], body: Self.body(items)),
            [.compressed, .urgent])
    }

    /// Waits for the answer to an announcement, sends the revisions that the client wants, and
    /// waits until it has answered those.
    func send(
        _ items: [AnnouncedChanges.Item], after announcement: BLIPPendingResponse
    ) async throws {
        let response: BLIPMessage
        do {
            response = try await announcement.message()
        } catch is BLIPErrorResponse {
            // The client does not want them.
            return
        }
        wishes.read(response.properties)
        var wanted: [Wanted] = []
        for (item, value) in zip(items, try response.array(isResponse: true)) {
            guard case .wanted(let known) = ChangeAnswer(toChange: value) else { continue }
            wanted.append(Wanted(item: item, known: known))
        }
        try await send(wanted)
    }

    private static func body(_ items: [AnnouncedChanges.Item]) -> [UInt8] {
        var text = JSONText()
        text.append(array: items) { item, text in
            ChangeEntry(
                sequence: "\(item.sequence)", id: item.id, revision: item.revision,
                isDeleted: item.isDeleted, size: item.bodySize
            ).append(to: &text)
        }
        return text.utf8
    }

    private func send(_ wanted: [Wanted]) async throws {
        var rest = wanted[...]
        try await withThrowingTaskGroup(of: Int.self) { group in
            var onTheWay = 0
            while !rest.isEmpty {
                for revision in try await read(&rest) {
                    let message = try revision.message(collection: index, wishes)
                    let size = message.body.count
                    while onTheWay > 0, onTheWay + size > Self.maximumBytes,
                        let done = try await group.next()
                    {
                        onTheWay -= done
                    }
                    onTheWay += size
                    group.addTask {
                        try await self.send(message, revision)
                        return size
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func send(_ message: BLIPMessage, _ revision: SentRevision) async throws {
        do {
            _ = try await socket.request(message, .compressed)
        } catch let error as BLIPErrorResponse {
            guard revision.delta != nil, error.is422 else { return }
            var whole = revision
            whole.delta = nil
            _ = try? await socket.send(
                whole.message(collection: index, wishes), .compressed)
        }
    }

    /// Reads the first of the revisions; tells the client of those that are gone.
    private func read(_ rest: inout ArraySlice<Wanted>) async throws -> [SentRevision] {
        let (some, known) = (rest, database.revisions(of: collection))
        let usesDeltas = wishes.acceptsDeltas && wishes.understandsBlobs
        let found = try await database.file.read { snapshot in
            var found: [SentRevision?] = []
            var bytes = 0
            for wanted in some where bytes < Self.readBytes {
                let revision = try Self.revision(wanted, known, usesDeltas, in: snapshot)
                bytes += revision?.document.body.count ?? 0
                found.append(revision)
            }
            return found
        }
        let asked = rest.prefix(found.count)
        rest = rest.dropFirst(found.count)
        return zip(asked, found).compactMap { wanted, revision in
            guard let revision else {
                sayMissing(wanted.item, 404)
                return nil
            }
            guard revision.asked == nil || subscription.acceptsReplacements else {
                sayMissing(wanted.item, 410)
                return nil
            }
            return revision
        }
    }

    private static func revision(
        _ wanted: Wanted, _ known: KnownRevisions, _ usesDeltas: Bool, in snapshot: Snapshot
    ) throws -> SentRevision? {
        guard let (document, _) = try known.current(wanted.item.id, in: snapshot) else {
            return nil
        }
        var revision = SentRevision(
            document: document, sequence: "\(wanted.item.sequence)", known: wanted.known)
        if document.revision != wanted.item.revision { revision.asked = wanted.item.revision }
        guard usesDeltas, document.mayHaveDelta else { return revision }
        for source in wanted.known {
            let old = try known.properties(of: document.id, at: source, in: snapshot)
            guard let delta = document.delta(to: old) else { continue }
            revision.delta = (source, delta)
            break
        }
        return revision
    }

    private func sayMissing(_ item: AnnouncedChanges.Item, _ error: Int) {
        socket.post(
            BLIPMessage([
                "Profile": "norev", "collection": "\(index)", "id": item.id,
                "rev": item.revision, "sequence": "\(item.sequence)", "error": "\(error)",
            ]), .compressed)
    }
}
