internal import Dispatch

/// The bytes of a blob as an asynchronous sequence of chunks.
///
/// ``BlobStore/chunks(of:bytes:)`` returns it:
///
/// ```swift
/// let copy = try FileHandle(forWritingTo: URL(filePath: path))
/// for try await chunk in file.blobs.chunks(of: photo) { try copy.write(contentsOf: chunk) }
/// ```
///
/// Reads on a separate thread, so it does not block a thread of Swift's cooperative pool, and one
/// chunk at a time, when it is requested. Cancelling the task ends it with `CancellationError`.
/// Each iteration starts at the first byte.
public struct BlobChunks: AsyncSequence, Sendable {
    let store: BlobStore
    let blob: Blob
    /// The maximum size of a chunk.
    let bytes: Int

    /// Iterates over the chunks. It holds the blob open until its end, and belongs to one task.
    public struct Iterator: AsyncIteratorProtocol {
        private enum State {
            case new
            case open(any BlobSource, offset: Int)
            case ended
        }

        private let chunks: BlobChunks
        private var state = State.new
        private static let queue = DispatchQueue(
            label: "DataFileCore.blobs", attributes: .concurrent)

        init(_ chunks: BlobChunks) {
            self.chunks = chunks
        }

        /// Reads the next chunk; nil at the end of the blob. The first call opens the blob.
        ///
        /// Throws as ``BlobStore/open(_:)``, or `CancellationError`. After an error the sequence
        /// has ended.
        public mutating func next() async throws -> [UInt8]? {
            do {
                try Task.checkCancellation()
                return try await nextChunk()
            } catch {
                state = .ended
                throw error
            }
        }

        private mutating func nextChunk() async throws -> [UInt8]? {
            let chunks = chunks
            let (source, offset): (any BlobSource, Int)
            switch state {
            case .new:
                (source, offset) = (
                    try await Self.apart { try chunks.store.source(chunks.blob) }, 0
                )
            case .open(let opened, let next): (source, offset) = (opened, next)
            case .ended: return nil
            }
            let chunk = try await Self.apart { try source.chunk(at: offset, bytes: chunks.bytes) }
            state = chunk.isEmpty ? .ended : .open(source, offset: offset + chunk.count)
            return chunk.isEmpty ? nil : chunk
        }

        private static func apart<T: Sendable>(
            _ body: @escaping @Sendable () throws -> T
        ) async throws -> T {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { continuation.resume(with: Result { try body() }) }
            }
        }
    }

    /// Starts at the first byte. The blob is opened when the first chunk is requested.
    ///
    /// ```swift
    /// var chunks = file.blobs.chunks(of: photo, bytes: 12).makeAsyncIterator()
    /// let header = try await chunks.next() ?? []
    /// ```
    public func makeAsyncIterator() -> Iterator { Iterator(self) }
}

extension BlobSource {
    /// The chunk at an offset, which is shorter at the end of the blob.
    fileprivate func chunk(at offset: Int, bytes: Int) throws -> [UInt8] {
        let count = min(bytes, max(length - offset, 0))
        return try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = try read(
                into: UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer).prefix(count)),
                at: offset)
        }
    }
}
