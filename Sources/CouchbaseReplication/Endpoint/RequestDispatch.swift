internal import BLIP
internal import BLIPWebSocket
internal import Replication

/// Passes the requests of the server on to what handles them.
struct RequestDispatch: Sendable {
    private let socket: BLIPSocket
    private let blobs: BlobRequests
    private let streams: [RemoteChangeStream]
    private let url: String

    init(
        _ socket: BLIPSocket, _ blobs: BlobRequests, _ streams: [RemoteChangeStream], _ url: String
    ) {
        self.socket = socket
        self.blobs = blobs
        self.streams = streams
        self.url = url
    }

    /// Until the connection is closed.
    func run() async {
        for await request in socket.requests {
            do {
                try await handle(request)
            } catch let error as BLIPErrorResponse {
                socket.respond(to: request, error)
            } catch {
                await fail(error)
                await socket.close(1002, "\(error)")
            }
        }
        await fail(ReplicationError(await socket.waitUntilClosed(), url))
    }

    private func fail(_ error: any Error) async {
        for stream in streams { await stream.fail(error) }
    }

    private func handle(_ request: BLIPRequest) async throws {
        switch request.message.profile {
        case "changes": try await stream(request).receiveChanges(request)
        case "rev": try await stream(request).receiveRevision(request)
        case "norev": try await stream(request).receiveMissing(request)
        case "getAttachment": blobs.send(request)
        case "proveAttachment": blobs.prove(request)
        default: throw BLIPErrorResponse("BLIP", 404, "no handler for message")
        }
    }

    private func stream(_ request: BLIPRequest) throws -> RemoteChangeStream {
        guard let index = request.message.properties.int("collection"),
            streams.indices.contains(Int(clamping: index))
        else {
            throw BLIPErrorResponse(
                "HTTP", 400, "the property collection is not the number of a collection")
        }
        return streams[Int(index)]
    }
}
