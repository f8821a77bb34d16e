internal import BLIP
internal import BLIPWebSocket
internal import DataFileCore
internal import FleeceLite
internal import Replication

/// Sends revisions of one collection: proposes them, and sends those that the other side wants.
actor RevisionPusher {
    /// The proposals in a message.
    private static let proposalCount = 200
    /// How many messages with proposals are on their way, or have revisions that are.
    private static let maximumMessages = 3
    /// The bytes of revisions of one of them that are sent without a response.
    private static let maximumBytes = 700 << 10

    private let socket: BLIPSocket
    private let collection: Int
    private let settings: ReplicatedCollection
    private let database: ReplicatedDatabase
    private var wishes = ReceiverWishes()

    init(
        _ socket: BLIPSocket, _ collection: Int, _ settings: ReplicatedCollection,
        _ database: ReplicatedDatabase
    ) {
        self.socket = socket
        self.collection = collection
        self.settings = settings
        self.database = database
    }

    /// Sends revisions; returns the results in their order.
    func send(_ proposals: [ProposedRevision]) async throws -> [ProposalResult] {
        let parts = proposals.parts(Self.proposalCount)
        var results = [[ProposalResult]](repeating: [], count: parts.count)
        try await withThrowingTaskGroup(of: (Int, [ProposalResult]).self) { group in
            for (index, part) in parts.enumerated() {
                if index >= Self.maximumMessages, let (done, result) = try await group.next() {
                    results[done] = result
                }
                group.addTask { (index, try await self.send(part: part)) }
            }
            for try await (index, result) in group { results[index] = result }
        }
        return results.flatMap(\.self)
    }

    private func send(part: [ProposedRevision]) async throws -> [ProposalResult] {
        try await send(part, propose(part))
    }

    private func propose(_ proposals: [ProposedRevision]) async throws -> [ChangeAnswer] {
        let message = BLIPMessage(
            [
                "Profile": "proposeChanges", "collection": "\(collection)",
                "conflictIncludesRev": "true",
            ], body: proposals.proposalsBody)
        do {
            let response = try await socket.request(message, [.compressed, .urgent])
            wishes.read(response.properties)
            let answers = try response.array(isResponse: true).map {
                ChangeAnswer(toProposal: $0)
            }
            // Those at the end are wanted.
            let missing = max(proposals.count - answers.count, 0)
            return answers.prefix(proposals.count)
                + Array(repeating: .wanted(known: []), count: missing)
        } catch let error as BLIPErrorResponse {
            throw ReplicationError(error, "the remote does not accept changes")
        }
    }

    private func send(
        _ proposals: [ProposedRevision], _ answers: [ChangeAnswer]
    ) async throws -> [ProposalResult] {
        var results = [ProposalResult?](repeating: nil, count: proposals.count)
        try await withThrowingTaskGroup(of: (Int, Int, ProposalResult).self) { group in
            var onTheWay = 0
            for (index, (proposal, answer)) in zip(proposals, answers).enumerated() {
                guard case .wanted = answer else {
                    results[index] = ProposalResult(proposal, answer)
                    continue
                }
                let size = proposal.document.body.count
                while onTheWay > 0, onTheWay + size > Self.maximumBytes,
                    let (done, size, result) = try await group.next()
                {
                    results[done] = result
                    onTheWay -= size
                }
                onTheWay += size
                group.addTask { (index, size, try await self.send(proposal)) }
            }
            for try await (index, _, result) in group { results[index] = result }
        }
        return results.compactMap(\.self)
    }

    private func send(_ proposal: ProposedRevision) async throws -> ProposalResult {
        var revision = SentRevision(
            document: proposal.document, sequence: "\(proposal.sequence)",
            known: proposal.base.map { [$0] } ?? [], refusesConflicts: true)
        revision.delta = try await delta(of: proposal)
        do {
            do {
                try await send(revision)
            } catch let error as BLIPErrorResponse where revision.delta != nil && error.is422 {
                revision.delta = nil
                try await send(revision)
            }
            return .accepted
        } catch let error as BLIPErrorResponse {
            if error.isConflict {
                return .refused(RemoteDocument(id: proposal.document.id, revision: ""))
            }
            return .rejected("the remote does not accept it: \(error)")
        }
    }

    private func send(_ revision: SentRevision) async throws {
        _ = try await socket.request(
            revision.message(collection: collection, wishes), .compressed)
    }
}

// Deltas.
extension RevisionPusher {
    /// The difference to the revision that the receiver has, if it is stored and it pays.
    private func delta(
        of proposal: ProposedRevision
    ) async throws -> (source: String, json: [UInt8])? {
        let document = proposal.document
        guard wishes.acceptsDeltas, wishes.understandsBlobs, let source = proposal.base,
            document.mayHaveDelta
        else { return nil }
        let known = database.revisions(of: settings.collection)
        let old = try await database.file.read {
            try known.properties(of: document.id, at: source, in: $0)
        }
        return document.delta(to: old).map { (source, $0) }
    }
}

extension ProposalResult {
    /// What an answer means for a revision that need not be sent.
    fileprivate init(_ proposal: ProposedRevision, _ answer: ChangeAnswer) {
        switch answer {
        case .wanted, .known:
            self = .refused(
                RemoteDocument(id: proposal.document.id, revision: proposal.document.revision))
        case .refused(409, let revision):
            self = .refused(RemoteDocument(proposal.document.id, current: revision ?? ""))
        case .refused(let status, _):
            self = .rejected("the remote does not accept it: HTTP \(status)")
        }
    }
}

extension RemoteDocument {
    /// A document of which the other side told the current revision: of a version vector all of it.
    fileprivate init(_ id: String, current: String) {
        let first = current.currentVersion
        self.init(
            id: id, revision: first,
            history: first.utf8.count < current.utf8.count ? current : "")
    }
}

extension [ProposedRevision] {
    /// The body of `proposeChanges`: `[[docID, revID, ancestorRevID, bodySize], …]`.
    fileprivate var proposalsBody: [UInt8] {
        var text = JSONText()
        text.append(array: self) { proposal, text in
            text.append("[")
            text.append(quoted: proposal.document.id)
            text.append(",")
            text.append(quoted: proposal.document.revision)
            text.append(",")
            text.append(quoted: proposal.base ?? "")
            text.append(",")
            text.append(Int64(proposal.document.body.count))
            text.append("]")
        }
        return text.utf8
    }
}
