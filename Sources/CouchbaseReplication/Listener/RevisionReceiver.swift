internal import BLIP
internal import BLIPWebSocket
internal import DataFileCore
internal import FleeceLite
internal import Replication
internal import StoreFormat

/// Receives the revisions that a client sends, and writes those of several messages in one
/// transaction.
actor RevisionReceiver {
    /// The revisions that are written at once.
    private static let batchCount = 200
    /// The revisions that a client may send without having an answer.
    private static let maximumWaiting = 10_000
    /// The bytes of their bodies.
    private static let maximumBytes = 64 << 20

    private let socket: BLIPSocket
    private let index: Int
    private let collection: DocumentCollection
    private let database: ReplicatedDatabase
    private let received: ReceivedRevisionIDs
    private var wishes: OwnWishes
    private var waiting: [ReceivedRevision] = []
    private var waitingBytes = 0
    private let wakeUps: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    init(
        _ socket: BLIPSocket, _ index: Int, _ collection: DocumentCollection,
        _ database: ReplicatedDatabase, _ received: ReceivedRevisionIDs, usesVectors: Bool
    ) {
        self.socket = socket
        self.index = index
        self.collection = collection
        self.database = database
        self.received = received
        wishes = OwnWishes(usesVectors: usesVectors)
        (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Writes what was received, until all is written and nothing more comes.
    func run() async {
        for await _ in wakeUps { await writeAll() }
        await writeAll()
    }

    /// Nothing more comes.
    nonisolated func finish() { wakeUp.finish() }

    private func writeAll() async {
        while !waiting.isEmpty {
            let batch = Array(waiting.prefix(Self.batchCount))
            waiting.removeFirst(batch.count)
            await write(batch)
            waitingBytes -= batch.reduce(0) { $0 + $1.document.body.count }
        }
    }
}

// Announcements.
extension RevisionReceiver {
    /// Answers `proposeChanges`: whether a revision may replace the one that the file has.
    func answerProposals(_ request: BLIPRequest) async throws {
        let proposals = try request.message.array().map {
            try Self.proposal($0)
        }
        let revisions = database.received(by: collection)
        let answers = try await database.file.read { try revisions.answers(to: proposals, in: $0) }
        let includesRevision = request.message.properties.bool("conflictIncludesRev")
        respond(
            to: request, Self.proposalBody(answers, includesRevision), isEmpty: answers.isEmpty)
    }

    /// Answers `changes`: which revisions the file lacks. Whether they conflict is found out when
    /// they come with their histories.
    func answerChanges(_ request: BLIPRequest) async throws {
        let entries = try request.message.array().map { try entry($0) }
        let known = database.revisions(of: collection)
        let knowledge = try await database.file.read { snapshot in
            try known.knowledge(of: entries.map { ($0.id, $0.revision) }, in: snapshot)
        }
        let answers = zip(entries, knowledge).map { entry, knowledge -> ChangeAnswer in
            guard case .missing(let ancestors) = knowledge else { return .known }
            return .wanted(known: ancestors)
        }
        respond(to: request, answers.changesBody, isEmpty: answers.isEmpty)
    }

    private func respond(to request: BLIPRequest, _ body: [UInt8], isEmpty: Bool) {
        guard !isEmpty else { return socket.respond(to: request) }
        socket.respond(to: request, BLIPMessage(wishes.next(), body: body), .compressed)
    }

    /// `[docID, revID, ancestorRevID, bodySize]`, of which the last two may be missing.
    private static func proposal(
        _ value: FleeceValue
    ) throws -> (id: String, revision: String, base: String?) {
        guard let parts = value.array, parts.count >= 2, let id = parts[0].string, !id.isEmpty,
            id.utf8.count <= ChangeEntry.maximumID, let revision = parts[1].string,
            !revision.isEmpty
        else { throw BLIPErrorResponse("LiteCore", 26, "a proposal is not valid: \(value)") }
        let base = parts.count > 2 ? parts[2].string : nil
        return (id, revision.currentVersion, base?.isEmpty ?? true ? nil : base?.currentVersion)
    }

    private func entry(_ value: FleeceValue) throws -> ChangeEntry {
        do {
            let entry = try ChangeEntry(value)
            try requireKind(entry.revision)
            return entry
        } catch let error as ReplicationError {
            throw BLIPErrorResponse("LiteCore", 26, error.message)
        }
    }

    /// Throws for what is not the ID of a revision, or one of a version where there are trees.
    private func requireKind(_ revision: String) throws {
        let id = try? RevisionID(revision)
        let isVersion = revision.utf8.contains(UInt8(ascii: "@"))
        guard id != nil, wishes.usesVectors || !isVersion else {
            throw BLIPErrorResponse("LiteCore", 26, "Invalid revID \(revision.prefix(60))")
        }
    }

    private static func proposalBody(
        _ answers: [ReceivedRevisions.Answer], _ includesRevision: Bool
    ) -> [UInt8] {
        var text = JSONText()
        let end = (answers.lastIndex { $0 != .wanted } ?? -1) + 1
        text.append(array: answers.prefix(end)) { answer, text in
            switch answer {
            case .wanted: text.append("0")
            case .known: text.append("304")
            case .conflict(let current) where includesRevision:
                text.append("{\"status\":409,\"rev\":")
                text.append(quoted: current)
                text.append("}")
            case .conflict: text.append("409")
            }
        }
        return text.utf8
    }
}

// Revisions.
extension RevisionReceiver {
    /// Takes a revision, which is answered when it is written. It need not have been announced.
    func receive(_ request: BLIPRequest) async throws {
        var revision = try ReceivedRevision(request)
        guard waiting.count < Self.maximumWaiting, waitingBytes < Self.maximumBytes else {
            throw BLIPErrorResponse("HTTP", 503, "too many revisions wait for being written")
        }
        guard revision.failure == nil else {
            // The sender says that it cannot send it.
            return respond(to: revision, [:])
        }
        guard RevisionHistory.isConsecutive(revision.document.history) else {
            throw BLIPErrorResponse("LiteCore", 4, "the history of the revision is not sequential")
        }
        guard !revision.document.body.isEmpty else {
            throw BLIPErrorResponse("BLIP", 400, "the body is empty")
        }
        let settings = ReplicatedCollection(collection)
        try await revision.applyDelta(database, settings)
        let isRemoved: Bool
        do {
            isRemoved = try revision.document.removeMetadata()
        } catch {
            throw BLIPErrorResponse("LiteCore", 5, "the body is not valid: \(error)")
        }
        guard !isRemoved else {
            // That this client may not read it any more does not concern others.
            return respond(to: revision, [:])
        }
        waiting.append(revision)
        waitingBytes += revision.document.body.count
        wakeUp.yield()
    }

    private func write(_ batch: [ReceivedRevision]) async {
        do {
            let blobs = try await fetcher.fetch(for: batch.map(\.document))
            let failed = Dictionary(blobs.failed.map { (ExactString($0.id), $0.reason) }) {
                first, _ in first
            }
            let missing = Set(blobs.incomplete.map { ExactString($0) })
            var complete: [ReceivedRevision] = []
            for revision in batch {
                let id = ExactString(revision.document.id)
                if let reason = failed[id] {
                    respond(to: revision, BLIPErrorResponse("LiteCore", 15, reason))
                } else if missing.contains(id) {
                    respond(to: revision, BLIPErrorResponse("HTTP", 404, "a blob is missing"))
                } else {
                    complete.append(revision)
                }
            }
            let (documents, revisions) = (
                complete.map(\.document), database.received(by: collection)
            )
            // Before they can be announced.
            for document in documents { received.add(document.id, document.revision) }
            let results = try await database.file.write { try revisions.write(documents, in: $0) }
            for (revision, result) in zip(complete, results) { respond(to: revision, result) }
        } catch {
            for revision in batch {
                respond(to: revision, BLIPErrorResponse("HTTP", 500, "\(error)"))
            }
        }
    }

    private var fetcher: BlobFetcher {
        let (socket, index) = (socket, index)
        return BlobFetcher(file: database.file) { blob, id, use in
            try await socket.receive(blob, of: id, collection: index, use)
        }
    }

    private func respond(to revision: ReceivedRevision, _ properties: BLIPProperties) {
        guard revision.request.wantsResponse else { return }
        socket.respond(to: revision.request, BLIPMessage(properties))
    }

    private func respond(to revision: ReceivedRevision, _ error: BLIPErrorResponse) {
        if revision.request.wantsResponse { socket.respond(to: revision.request, error) }
    }

    private func respond(to revision: ReceivedRevision, _ result: ReceivedRevisions.Result) {
        switch result {
        case .saved: return respond(to: revision, [:])
        case .known: respond(to: revision, ["noop": "true"])
        case .conflict: respond(to: revision, BLIPErrorResponse("LiteCore", 8, "conflict"))
        case .rejected(let reason): respond(to: revision, BLIPErrorResponse("LiteCore", 4, reason))
        }
        _ = received.take(revision.document.id, revision.document.revision)
    }
}
