internal import BLIP
internal import BLIPWebSocket
internal import DataFileCore
internal import StoreFormat
internal import StorePlatform

/// Answers requests for blobs, with which the receiver of a revision gets those that it lacks.
struct BlobRequests: Sendable {
    let blobs: BlobStore
    let socket: BLIPSocket

    private static let partLength = 16 << 10
    private static let nonceLength = 1...255

    /// Answers `getAttachment`: sends the bytes of a blob.
    func send(_ request: BLIPRequest) {
        do {
            let blob = try blob(request)
            let bytes = BlobBytes(try blobs.open(blob))
            socket.respond(
                to: request, BLIPMessage(),
                request.message.properties.bool("compress") ? .compressed : []
            ) { try bytes.next(Self.partLength) }
        } catch {
            socket.respond(to: request, Self.response(to: error))
        }
    }

    /// Answers `proveAttachment`: shows that this side has a blob without sending it.
    func prove(_ request: BLIPRequest) {
        let nonce = request.message.body
        do {
            guard Self.nonceLength.contains(nonce.count) else {
                throw BLIPErrorResponse("BLIP", 400, "Missing nonce")
            }
            var hash = SHA1()
            hash.add([UInt8(nonce.count)])
            hash.add(nonce)
            let reader = try blobs.open(try blob(request))
            while case let part = try reader.readChunk(), !part.isEmpty { hash.add(part) }
            let proof = try BlobDigest(hash).description
            socket.respond(to: request, BLIPMessage(body: Array(proof.utf8)))
        } catch {
            socket.respond(to: request, Self.response(to: error))
        }
    }

    private func blob(_ request: BLIPRequest) throws -> Blob {
        guard let digest = request.message.properties["digest"].flatMap({ try? BlobDigest($0) })
        else { throw BLIPErrorResponse("LiteCore", 9, "Missing or invalid 'digest'") }
        let blob = Blob(digest: digest)
        guard try blobs.contains(blob) else {
            throw BLIPErrorResponse("LiteCore", 7, "No such blob")
        }
        return blob
    }

    private static func response(to error: any Error) -> BLIPErrorResponse {
        error as? BLIPErrorResponse ?? BLIPErrorResponse("LiteCore", 26, "\(error)")
    }
}

/// The bytes of a blob, which are read where they are sent.
private final class BlobBytes: Sendable {
    private let reader: Locked<BlobReader>

    init(_ reader: sending BlobReader) {
        self.reader = Locked(reader)
    }

    /// Nil at the end.
    func next(_ maximum: Int) throws -> [UInt8]? {
        let part = try reader.withLock { try $0.readChunk(maximum: maximum) }
        return part.isEmpty ? nil : part
    }
}
