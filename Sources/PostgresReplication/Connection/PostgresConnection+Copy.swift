internal import CPQ
internal import Replication

// COPY … TO STDOUT.
extension PostgresConnection {
    /// Starts a COPY.
    func startCopy(_ sql: String) throws {
        try send(sql)
        guard let result = try nextResult() else { throw lost() }
        if let error = result.error { throw error }
    }

    /// The next message of a COPY; nil at its end. `PQgetCopyData`
    func nextCopyData() throws -> [UInt8]? {
        while true {
            var message: UnsafeMutablePointer<CChar>?
            let length = takeCopyData(&message)
            if length > 0, let message {
                defer { PQfreemem(message) }
                return Array(UnsafeRawBufferPointer(start: message, count: Int(length)))
            }
            guard length == 0 else {
                guard length == -1 else { throw lost() }
                if let error = try nextResult()?.error { throw error }
                return nil
            }
            try waitForAnswer()
            try receive()
        }
    }
}
