internal import CPQ
internal import Replication

/// Many changes of a bucket as one stream, on a connection of its own.
///
/// The stream stays open between two calls; the server waits when its buffers are full.
actor PostgresCopy {
    private let newWorker: @Sendable () async throws -> PostgresWorker
    private var stream: Stream?

    /// An open stream, and where its next row is.
    private struct Stream {
        let worker: PostgresWorker
        let reader: CopyReader
        let bucket: Int16
        var sequence: Int64
        /// The last sequence when the stream was opened: it has no later changes.
        let last: Int64
    }

    init(_ newWorker: @escaping @Sendable () async throws -> PostgresWorker) {
        self.newWorker = newWorker
    }

    /// Whether the stream is open at a position.
    func continues(_ bucket: Int16, after sequence: Int64) -> Bool {
        stream?.bucket == bucket && stream?.sequence == sequence
    }

    /// The next rows after a sequence.
    ///
    /// - Parameter last: the last sequence of the bucket, if a stream has to be opened.
    /// - Returns: the rows; and the last sequence that the stream could have, at its end.
    func rows(
        _ bucket: Int16, after sequence: Int64, limit: Int, last: Int64, _ sql: String
    ) async throws -> (rows: [PostgresRow], end: Int64?) {
        if !continues(bucket, after: sequence) {
            try await start(bucket, sequence, last: last, sql)
        }
        guard let stream else { return ([], nil) }
        let reader = stream.reader
        do {
            let (rows, isLast) = try await stream.worker.run { try reader.rows($0, limit) }
            self.stream?.sequence = rows.last?.sequence ?? sequence
            if isLast { await end() }
            return (rows, isLast ? stream.last : nil)
        } catch {
            await end()
            throw error
        }
    }

    private func start(
        _ bucket: Int16, _ sequence: Int64, last: Int64, _ sql: String
    ) async throws {
        await end()
        let worker = try await newWorker()
        stream = Stream(
            worker: worker, reader: CopyReader(), bucket: bucket, sequence: sequence, last: last)
        do {
            try await worker.run { try $0.startCopy(sql) }
        } catch {
            await end()
            throw error
        }
    }

    /// Closes the connection, which ends the stream also before its end.
    private func end() async {
        let worker = stream?.worker
        stream = nil
        await worker?.close()
    }
}

/// Reads PostgreSQL's binary form of COPY.
final class CopyReader: @unchecked Sendable {
    // Unchecked: used by one call at a time.

    private var hasHeader = false
    private var buffer: [UInt8] = []
    private var offset = 0

    private static let maximumBytes = 8 << 20

    /// The next rows, at most `limit` and about 8 MiB; and whether they are the last ones.
    func rows(
        _ connection: PostgresConnection, _ limit: Int
    ) throws -> (rows: [PostgresRow], isLast: Bool) {
        var rows: [PostgresRow] = []
        var bytes = 0
        while rows.count < limit, bytes < Self.maximumBytes {
            guard let message = try connection.nextCopyData() else { return (rows, true) }
            bytes += message.count
            buffer.append(contentsOf: message)
            try takeHeader()
            while let row = try nextRow() { rows.append(row) }
            buffer.removeFirst(offset)
            offset = 0
        }
        return (rows, false)
    }

    /// The signature of 11 bytes, flags, and an extension.
    private func takeHeader() throws {
        guard !hasHeader else { return }
        guard buffer.count >= 19, buffer.starts(with: "PGCOPY\n".utf8) else {
            throw ReplicationError(.badRemoteData, "the server's COPY has an unknown form")
        }
        offset = 19 + max(0, integer(at: 15, 4) ?? 0)
        guard offset <= buffer.count else {
            throw ReplicationError(.badRemoteData, "the server's COPY has an unknown form")
        }
        hasHeader = true
    }

    /// The next row; nil if its end has not arrived, or at the end.
    private func nextRow() throws -> PostgresRow? {
        guard let count = integer(at: offset, 2), count >= 0 else { return nil }
        var fields: [Range<Int>?] = []
        var position = offset + 2
        for _ in 0..<count {
            guard let length = integer(at: position, 4) else { return nil }
            position += 4
            guard length >= 0 else {
                fields.append(nil)
                continue
            }
            guard position + length <= buffer.count else { return nil }
            fields.append(position..<(position + length))
            position += length
        }
        offset = position
        return try buffer.withUnsafeBytes { bytes in
            try PostgresRow { column in
                guard column < fields.count, let range = fields[column] else { return nil }
                return UnsafeRawBufferPointer(rebasing: bytes[range])
            }
        }
    }

    private func integer(at position: Int, _ size: Int) -> Int? {
        guard position + size <= buffer.count else { return nil }
        return buffer.withUnsafeBytes { bytes in
            PostgresField.int(
                UnsafeRawBufferPointer(rebasing: bytes[position..<(position + size)])
            ).map { Int($0) }
        }
    }
}
