internal import DataFileCore

/// What the exit status says, so that scripts can tell.
enum ExitStatus: Int32 {
    case success = 0
    case failure = 1
    case usage = 2
    case notFound = 3
    case cannotOpen = 4
    case damaged = 5
    case conflict = 6

    /// The status of a command that ends with this error.
    init(_ error: StoreError) {
        guard error.domain == .liteCore else {
            self = .failure
            return
        }
        switch StoreError.Code(rawValue: error.code) {
        case .notFound: self = .notFound
        case .cannotOpenFile, .notADatabaseFile, .wrongFormat, .databaseTooOld, .databaseTooNew,
            .busy:
            self = .cannotOpen
        case .corruptData, .corruptRevisionData: self = .damaged
        case .conflict: self = .conflict
        default: self = .failure
        }
    }
}

/// A failure of the tool itself, in one line.
struct ToolError: Error {
    let message: String
    var status = ExitStatus.failure

    init(_ message: String, status: ExitStatus = .failure) {
        self.message = message
        self.status = status
    }
}

/// The end of a command that has said already what was wrong.
struct ReportedFailure: Error {
    let status: ExitStatus
}
