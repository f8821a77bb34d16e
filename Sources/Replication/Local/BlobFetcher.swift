package import DataFileCore
internal import FleeceLite
internal import StoreFormat

/// What became of the blobs of documents.
package struct BlobResult: Sendable {
    /// The documents that are not transferred because of a blob, and why.
    package var failed: [(id: String, reason: String)] = []
    /// The documents whose blobs the other side does not have all: those that failed, and those
    /// that are transferred without a blob because this side lacks it, too.
    package var incomplete: [String] = []

    /// Those of the documents that did not fail.
    package func remaining<T>(_ documents: [T], _ id: (T) -> String) -> [T] {
        guard !failed.isEmpty else { return documents }
        let failed = Set(failed.map { ExactString($0.id) })
        return documents.filter { !failed.contains(ExactString(id($0))) }
    }
}

/// Gets blobs that a file lacks, each once, in parts.
package struct BlobFetcher: Sendable {
    /// Passes the parts of a blob of a document to a closure; false if the other side does not have
    /// it.
    package typealias Source =
        @Sendable (
            Blob, _ id: String, _ use: @escaping @Sendable ([UInt8]) async throws -> Void
        ) async throws -> Bool

    private let file: DataFile
    private let source: Source

    /// - Parameter source: returns the bytes.
    package init(file: DataFile, _ source: @escaping Source) {
        self.file = file
        self.source = source
    }

    /// Gets those blobs of documents that the file lacks. Documents with a blob that is not what
    /// its digest says fail.
    package func fetch(for documents: [RemoteDocument]) async throws -> BlobResult {
        var result = BlobResult()
        for document in documents {
            let blobs = document.blobs
            guard !blobs.isEmpty else { continue }
            do {
                var isComplete = true
                for blob in blobs {
                    isComplete = try await fetch(blob, of: document.id) && isComplete
                }
                if !isComplete { result.incomplete.append(document.id) }
            } catch let error as ReplicationError where error.code == .badRemoteData {
                result.failed.append((document.id, error.message))
                result.incomplete.append(document.id)
            }
        }
        return result
    }

    /// Gets a blob; false if the other side does not have it.
    private func fetch(_ blob: Blob, of id: String) async throws -> Bool {
        guard try !file.blobs.contains(blob) else { return true }
        let sink = BlobSink(try file.blobs.writer())
        let exists = try await source(blob, id) { try await sink.write($0) }
        try await sink.finish(blob, exists: exists)
        return exists
    }
}

/// A blob that is written part by part.
private actor BlobSink {
    private let writer: BlobWriter

    init(_ writer: sending BlobWriter) {
        self.writer = writer
    }

    func write(_ part: [UInt8]) throws { try writer.write(part) }

    /// Installs the blob if its bytes have its digest.
    func finish(_ blob: Blob, exists: Bool) throws {
        guard exists else { return writer.cancel() }
        let written = try writer.finish()
        guard written.digest == blob.digest else {
            throw ReplicationError(
                .badRemoteData,
                "the bytes of the blob \(blob.digest) at the remote have the digest "
                    + "\(written.digest)")
        }
    }
}

extension RemoteDocument {
    /// The blobs that the document refers to; none if its body is not valid.
    fileprivate var blobs: [Blob] {
        guard mayHaveBlobs, let document = try? decoded() else { return [] }
        return document.root.dictionary.map { Blob.references(in: $0) } ?? []
    }

    /// Most documents have none and are not decoded.
    private var mayHaveBlobs: Bool {
        fleece != nil
            || body.withUnsafeBytes { $0.hasMark("\"blob\"") || $0.hasMark("\"_attachments\"") }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether a string of ASCII characters that begins with a quotation mark is in the bytes.
    package func hasMark(_ mark: StaticString) -> Bool {
        let length = mark.utf8CodeUnitCount
        guard count >= length else { return false }
        for start in 0...(count - length) where self[start] == UInt8(ascii: "\"") {
            var index = 1
            while index < length, self[start + index] == mark.utf8Start[index] { index += 1 }
            if index == length { return true }
        }
        return false
    }
}
