internal import CPQ
internal import Replication

/// The rows that a statement returned, in PostgreSQL's binary form.
final class PostgresResult {
    private let result: OpaquePointer

    /// Takes ownership of a `PGresult`.
    init(_ result: OpaquePointer) {
        self.result = result
    }

    deinit { PQclear(result) }

    var status: ExecStatusType { PQresultStatus(result) }
    var count: Int { Int(PQntuples(result)) }

    /// The bytes of a value; nil for NULL.
    func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
        guard PQgetisnull(result, Int32(row), Int32(column)) == 0,
            let start = PQgetvalue(result, Int32(row), Int32(column))
        else { return nil }
        let length = Int(PQgetlength(result, Int32(row), Int32(column)))
        return UnsafeRawBufferPointer(start: start, count: length)
    }

    func text(_ row: Int, _ column: Int) -> String? {
        bytes(row, column).map { String(decoding: $0, as: UTF8.self) }
    }

    /// An integer of 2, 4 or 8 bytes.
    func int(_ row: Int, _ column: Int) -> Int64? { bytes(row, column).flatMap(PostgresField.int) }

    /// The error that the server returned; nil if it is a success.
    var error: ReplicationError? {
        switch status {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_COPY_OUT, PGRES_PIPELINE_SYNC,
            PGRES_SINGLE_TUPLE:
            return nil
        default: break
        }
        // The fields of `PG_DIAG_SQLSTATE` and `PG_DIAG_MESSAGE_PRIMARY`.
        let state = field("C") ?? ""
        let message = [field("M"), field("D"), field("H")].compactMap { $0 }
            .joined(separator: "; ")
        return ReplicationError(
            Self.code(of: state),
            "PostgreSQL: \(message.isEmpty ? "the connection was lost" : message)"
                + (state.isEmpty ? "" : " (\(state))"),
            underlying: SQLState(code: state))
    }

    private func field(_ code: Unicode.Scalar) -> String? {
        PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
    }

    private static func code(of state: String) -> ReplicationError.Code {
        switch state.prefix(2) {
        case "", "08", "57": .unreachable
        case "28": .unauthorized
        case "42", "3F": state == SQLState.insufficientPrivilege ? .unauthorized : .incompatible
        // A value that the server cannot store.
        case "22", "23", "54", "P0": .badRemoteData
        default: .remoteFailure
        }
    }
}

/// The code of an error in SQL's standard, such as `40001`.
struct SQLState: Error {
    static let insufficientPrivilege = "42501"

    let code: String
}

extension ReplicationError {
    /// The code of an error of the server; nil for others.
    var sqlState: String? { (underlying as? SQLState)?.code }
}

/// The binary forms of values.
enum PostgresField {
    /// An integer of 2, 4 or 8 bytes.
    static func int(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        switch bytes.count {
        case 2: Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        case 4: Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case 8: Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        default: nil
        }
    }
}
