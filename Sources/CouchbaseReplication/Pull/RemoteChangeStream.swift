internal import BLIP
internal import BLIPWebSocket
internal import DataFileCore
internal import FleeceLite
internal import Replication

/// The changes that the other side sends for one collection.
///
/// The other side announces changes, this one says which revisions it wants, and those come. Some
/// are asked for while others are being stored; how many is limited, so that memory is, too.
actor RemoteChangeStream {
    /// What is asked for.
    struct Subscription: Sendable {
        /// The index of the collection in the connection.
        var collection: Int
        var isContinuous = false
        var usesVectors: Bool
        var channels: [String] = []
        var documentIDs: [String]?
    }

    /// A revision that came.
    private struct Item {
        var revision: ReceivedRevision
        let number: Int
    }

    // Revisions that were asked for and did not come, or wait to be taken: more are not asked for.
    private static let maximumItems = 1000
    /// The bytes of a batch. LiteCore sends no more than 2 MiB that are not answered.
    private static let batchBytes = 512 << 10
    /// The bytes of revisions that wait to be taken.
    private static let maximumBytes = 256 << 20
    /// How long a revision waits for others, to be stored with them. A sender may wait for its
    /// answer before it sends the next one.
    private static let longestWait = Duration.milliseconds(20)
    /// LiteCore sends five.
    private static let maximumMessages = 100

    private let socket: BLIPSocket
    private let subscription: Subscription
    private let database: ReplicatedDatabase
    private let settings: ReplicatedCollection

    private var hasStarted = false
    private var tracker = SequenceTracker(position: "")
    /// Announcements that are not answered.
    private(set) var messages: [BLIPRequest] = []
    private var wishes: OwnWishes
    private var isCaughtUp = false
    /// The revisions that were asked for, and the numbers of their changes.
    private var asked: [RevisionKey: Int] = [:]
    private var items: [Item] = []
    private var bytes = 0
    /// Whether the oldest of them has waited long enough for others.
    private var isOverdue = false
    private var removed: [String] = []
    /// The numbers of changes that are done with the next batch, without a revision.
    private var done: [Int] = []
    /// The batches that were taken and are not stored.
    private var batches: [[BLIPRequest]] = []
    private var failure: (any Error)?
    private var waiters: [CheckedContinuation<Void, Never>] = []

    init(
        _ socket: BLIPSocket, _ subscription: Subscription, _ settings: ReplicatedCollection,
        _ database: ReplicatedDatabase
    ) {
        self.socket = socket
        self.subscription = subscription
        wishes = OwnWishes(usesVectors: subscription.usesVectors)
        self.settings = settings
        self.database = database
    }

    private func signal() {
        let all = waiters
        waiters = []
        for waiter in all { waiter.resume() }
    }

    private func wait() async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { continuation.resume() } else { waiters.append(continuation) }
            }
        } onCancel: {
            Task { await signal() }
        }
        try Task.checkCancellation()
    }

    /// The connection was lost.
    func fail(_ error: any Error) {
        if failure == nil { failure = error }
        signal()
    }

    /// Waits until there is something to take.
    func waitForChange() async throws {
        while failure == nil, messages.isEmpty, items.isEmpty, removed.isEmpty { try await wait() }
    }
}

// Taking.
extension RemoteChangeStream {
    /// The next changes.
    ///
    /// - Parameter position: where the last batch ended; nil for the beginning.
    func next(since position: String?, limit: Int) async throws -> RemoteChanges {
        try await start(since: position)
        while true {
            if let failure { throw failure }
            try await answerMessages()
            if isReady(limit) { return batch(limit) }
            // It may have failed meanwhile, and nothing more comes then.
            if failure == nil { try await wait() }
        }
    }

    private func start(since position: String?) async throws {
        guard !hasStarted else { return }
        hasStarted = true
        tracker = SequenceTracker(position: position ?? "")
        let isFirst = position?.isEmpty ?? true ? try await isEmpty() : false
        do {
            _ = try await socket.request(
                subscription.message(since: position, isFirst: isFirst))
        } catch let error as BLIPErrorResponse {
            throw ReplicationError(error, "the remote does not send changes")
        }
    }

    /// Whether the file has no document of the collection, and no tombstone.
    private func isEmpty() async throws -> Bool {
        let collection = settings.collection
        return try await database.file.read { snapshot in
            guard try collection.exists(in: snapshot) else { return true }
            return try collection.keyStore.lastSequence(in: snapshot) == 0
        }
    }

    private func isReady(_ limit: Int) -> Bool {
        if items.count >= limit || bytes >= Self.batchBytes || done.count >= Self.maximumItems {
            return true
        }
        if isOverdue, !items.isEmpty { return true }
        guard asked.isEmpty else { return false }
        // Further announcements may have to wait until these are taken.
        return !items.isEmpty || !removed.isEmpty || messages.isEmpty && isCaughtUp
    }

    private func batch(_ limit: Int) -> RemoteChanges {
        let taken = Array(items.prefix(limit))
        items.removeFirst(taken.count)
        isOverdue = false
        bytes = items.reduce(0) { $0 + $1.revision.document.body.count }
        for number in done + taken.map(\.number) { tracker.finish(number) }
        done = []
        let gone = removed
        removed = []
        let isLast = isCaughtUp && asked.isEmpty && messages.isEmpty && items.isEmpty
        var changes = RemoteChanges(
            taken.map(\.revision.document), position: tracker.position, isLast: isLast)
        changes.removed = gone
        if !changes.isEmpty || !taken.isEmpty { batches.append(taken.map(\.revision.request)) }
        return changes
    }

    /// The oldest batch is stored; the sender learns which of its revisions are.
    func didStore(rejected: [(id: String, reason: String)]) {
        guard !batches.isEmpty else { return }
        let reasons = Dictionary(rejected.map { (ExactString($0.id), $0.reason) }) {
            first, _ in first
        }
        for request in batches.removeFirst() {
            let id = request.message.properties["id"] ?? ""
            if let reason = reasons[ExactString(id)] {
                socket.respond(to: request, BLIPErrorResponse("HTTP", 403, reason))
            } else {
                socket.respond(to: request)
            }
        }
    }
}

// Receiving.
extension RemoteChangeStream {
    /// Takes an announcement of changes.
    func receiveChanges(_ request: BLIPRequest) throws {
        messages.append(request)
        guard messages.count <= Self.maximumMessages else {
            throw ReplicationError(
                .badRemoteData, "the remote announces changes without waiting for answers")
        }
        signal()
    }

    /// Answers announcements as long as there is space for the revisions.
    private func answerMessages() async throws {
        while asked.count + items.count < Self.maximumItems, !messages.isEmpty {
            let message = messages.removeFirst()
            let entries = try message.message.array().map { try ChangeEntry($0) }
            guard !entries.isEmpty else {
                isCaughtUp = true
                socket.respond(to: message)
                continue
            }
            let answers = try await answers(to: entries)
            // Before the answer, since revisions may come at once.
            for (entry, answer) in zip(entries, answers) { note(entry, answer) }
            respond(to: message, answers)
        }
    }

    private func answers(to entries: [ChangeEntry]) async throws -> [ChangeAnswer] {
        let (settings, known) = (settings, database.revisions(of: settings.collection))
        let knowledge = try await database.file.read { snapshot in
            try known.knowledge(of: entries.map { ($0.id, $0.revision) }, in: snapshot)
        }
        return zip(entries, knowledge).map { entry, knowledge in
            guard settings.includes(entry.id), !entry.isRemoved,
                case .missing(let ancestors) = knowledge
            else { return .known }
            return .wanted(known: ancestors)
        }
    }

    private func note(_ entry: ChangeEntry, _ answer: ChangeAnswer) {
        let number = tracker.add(entry.sequence)
        if case .wanted = answer {
            asked[RevisionKey(entry.id, entry.revision)] = number
        } else {
            if entry.isRemoved { removed.append(entry.id) }
            done.append(number)
        }
    }

    private func respond(to message: BLIPRequest, _ answers: [ChangeAnswer]) {
        socket.respond(
            to: message, BLIPMessage(wishes.next(), body: answers.changesBody), .compressed)
    }

    /// Takes a revision.
    func receiveRevision(_ request: BLIPRequest) async throws {
        var revision = try ReceivedRevision(request)
        let key = RevisionKey(revision.document.id, revision.asked)
        guard let number = asked[key] else {
            throw ReplicationError(
                .badRemoteData,
                "the remote sent a revision of \"\(revision.document.id)\" that was not asked for")
        }
        guard revision.failure == nil else {
            socket.respond(to: request)
            return finish(key, number)
        }
        try await revision.applyDelta(database, settings)
        if try revision.document.removeMetadata() {
            removed.append(revision.document.id)
            socket.respond(to: request)
            return finish(key, number)
        }
        asked[key] = nil
        items.append(Item(revision: revision, number: number))
        bytes += revision.document.body.count
        // Revisions that want no answer are not limited otherwise.
        guard bytes <= Self.maximumBytes || items.count == 1 else {
            throw ReplicationError(
                .badRemoteData, "the remote sends documents faster than they can be stored")
        }
        if items.count == 1 { waitForOthers(number) }
        signal()
    }

    /// Has a revision taken after a while, if it still waits then.
    private func waitForOthers(_ number: Int) {
        Task {
            try? await Task.sleep(for: Self.longestWait)
            guard items.first?.number == number else { return }
            isOverdue = true
            signal()
        }
    }

    /// Takes the news that a revision cannot be sent.
    func receiveMissing(_ request: BLIPRequest) {
        let properties = request.message.properties
        let key = RevisionKey(properties["id"] ?? "", properties["rev"] ?? "")
        if let number = asked[key] { finish(key, number) }
    }

    /// There is nothing to be stored of a revision.
    private func finish(_ key: RevisionKey, _ number: Int) {
        asked[key] = nil
        done.append(number)
        signal()
    }
}

extension [ChangeAnswer] {
    /// The body of a response to `changes`: what is not wanted at the end is left out.
    var changesBody: [UInt8] {
        var text = JSONText()
        let end = lastIndex { $0 != .known } ?? -1
        text.append(array: prefix(end + 1)) { $0.appendToChanges(&$1) }
        return text.utf8
    }
}

extension ChangeAnswer {
    fileprivate func appendToChanges(_ text: inout JSONText) {
        switch self {
        case .known: text.append("0")
        case .refused(let status, _): text.append(status)
        case .wanted(let revisions): text.append(array: revisions)
        }
    }
}
