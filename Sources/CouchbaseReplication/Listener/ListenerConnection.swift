internal import BLIP
internal import BLIPWebSocket
internal import DataFileCore
internal import FleeceLite
internal import Replication

/// A connection with a client.
actor ListenerConnection {
    private let socket: BLIPSocket
    private let file: DataFile
    private let access: CouchbaseListener.Access
    private let usesVectors: Bool
    private let blobs: BlobRequests
    private let checkpoints: PeerCheckpoints
    private var collections: [ListenerCollection]?

    init(
        _ socket: BLIPSocket, _ file: DataFile, _ access: CouchbaseListener.Access,
        usesVectors: Bool
    ) {
        self.socket = socket
        self.file = file
        self.access = access
        self.usesVectors = usesVectors
        blobs = BlobRequests(blobs: file.blobs, socket: socket)
        checkpoints = PeerCheckpoints(file: file)
    }

    /// Until the client closes the connection.
    func run() async {
        await withDiscardingTaskGroup { receivers in
            await withDiscardingTaskGroup { feeds in
                for await request in socket.requests {
                    await answer(request, &receivers, &feeds)
                }
                feeds.cancelAll()
            }
            // What has arrived is written, unless the listener ends.
            for collection in collections ?? [] { collection.receiver.finish() }
        }
    }

    private func answer(
        _ request: BLIPRequest, _ receivers: inout DiscardingTaskGroup,
        _ feeds: inout DiscardingTaskGroup
    ) async {
        do {
            try await handle(request, &receivers, &feeds)
        } catch let error as BLIPErrorResponse {
            socket.respond(to: request, error)
        } catch let error as ReplicationError where error.code == .badRemoteData {
            socket.respond(to: request, BLIPErrorResponse("BLIP", 400, error.message))
        } catch {
            socket.respond(to: request, BLIPErrorResponse("HTTP", 500, "\(error)"))
        }
    }

    private func handle(
        _ request: BLIPRequest, _ receivers: inout DiscardingTaskGroup,
        _ feeds: inout DiscardingTaskGroup
    ) async throws {
        let message = request.message
        switch message.profile {
        case "getCollections": try await openCollections(request, &receivers)
        case "getCheckpoint":
            _ = try collection(message)
            socket.respond(to: request, try await checkpoints.get(message))
        case "setCheckpoint":
            _ = try collection(message)
            socket.respond(to: request, try await checkpoints.set(message))
        case "subChanges":
            let feed = try await collection(message).subscribe(message)
            socket.respond(to: request)
            feeds.addTask { await feed.run() }
        case "changes": try await receiver(message).answerChanges(request)
        case "proposeChanges": try await receiver(message).answerProposals(request)
        case "rev": try await receiver(message).receive(request)
        // Nothing waits for the revision.
        case "norev":
            _ = try collection(message)
            if request.wantsResponse { socket.respond(to: request) }
        case "getAttachment":
            _ = try collection(message)
            blobs.send(request)
        case "proveAttachment":
            _ = try collection(message)
            blobs.prove(request)
        default: throw BLIPErrorResponse("BLIP", 404, "no handler for message")
        }
    }

    private func collection(_ message: BLIPMessage) throws -> ListenerCollection {
        guard let index = message.properties.int("collection"), let collections,
            collections.indices.contains(Int(clamping: index))
        else {
            throw BLIPErrorResponse(
                "HTTP", 400, "inappropriate use of the collection property.")
        }
        return collections[Int(index)]
    }

    /// What receives revisions, if the client may send them.
    private func receiver(_ message: BLIPMessage) throws -> RevisionReceiver {
        let receiver = try collection(message).receiver
        guard access == .readAndWrite else {
            throw BLIPErrorResponse("HTTP", 403, "Attempting to push to a pull-only replicator")
        }
        return receiver
    }

    /// Answers the first message.
    private func openCollections(
        _ request: BLIPRequest, _ receivers: inout DiscardingTaskGroup
    ) async throws {
        guard collections == nil else {
            throw BLIPErrorResponse(
                "BLIP", 400, "Invalid getCollections message: it is not the first message")
        }
        let opening = try OpenedCollections(request.message)
        let names = try await file.read { try $0.collectionNames() }
        // As LiteCore's clients without a name register themselves.
        let database = try await ReplicatedDatabase(file, clients: Self.clients)
        var opened: [ListenerCollection] = []
        var isComplete = true
        var text = JSONText()
        text.append("[")
        for (index, (path, id)) in zip(opening.paths, opening.checkpoints).enumerated() {
            if index > 0 { text.append(",") }
            guard let name = try? CollectionName(path), names.contains(name) else {
                isComplete = false
                text.append("null")
                continue
            }
            text.append(contentsOf: try await checkpoints.member(id))
            opened.append(
                ListenerCollection(
                    index, DocumentCollection(name), socket, database, usesVectors: usesVectors))
        }
        text.append("]")
        if isComplete {
            collections = opened
            for collection in opened { receivers.addTask { await collection.receiver.run() } }
        }
        socket.respond(to: request, BLIPMessage(body: text.utf8))
    }

    /// The address under which the file knows the revisions of its clients.
    static let clients = "ws://clients/"
}

/// A collection of a connection with a client.
struct ListenerCollection: Sendable {
    let receiver: RevisionReceiver
    private let index: Int
    private let collection: DocumentCollection
    private let socket: BLIPSocket
    private let database: ReplicatedDatabase
    private let usesVectors: Bool
    private let received: ReceivedRevisionIDs

    init(
        _ index: Int, _ collection: DocumentCollection, _ socket: BLIPSocket,
        _ database: ReplicatedDatabase, usesVectors: Bool
    ) {
        self.index = index
        self.collection = collection
        self.socket = socket
        self.database = database
        self.usesVectors = usesVectors
        received = ReceivedRevisionIDs()
        receiver = RevisionReceiver(
            socket, index, collection, database, received, usesVectors: usesVectors)
    }

    /// What sends the changes that a client asks for.
    func subscribe(_ message: BLIPMessage) async throws -> ChangeFeed {
        let properties = message.properties
        guard properties["filter"] == nil else {
            throw BLIPErrorResponse("LiteCore", 19, "Filtering not supported")
        }
        let versioning = properties["versioning"]
        guard
            versioning == (usesVectors ? "version-vectors" : "rev-trees")
                || !usesVectors && versioning == nil
        else { throw BLIPErrorResponse("LiteCore", 501, "Incompatible document versioning.") }
        guard try await received.subscribe() else {
            throw BLIPErrorResponse("LiteCore", 501, "the collection is subscribed to already")
        }
        return try await ChangeFeed(
            socket, index, collection, database, received, ChangeFeed.Subscription(message))
    }
}
