package import DocumentStore
internal import SQLCore
internal import SQLPlus

/// What the exit status says, so that scripts can tell.
package enum ExitStatus: Int32 {
    case success = 0
    case failure = 1
    case usage = 2
    case notFound = 3
    case cannotOpen = 4
    case damaged = 5
    case conflict = 6
    /// Some of what was asked for was done.
    case partial = 7
    /// `diff` has found some.
    case different = 8
    /// 128 and the number of SIGINT, as shells have it.
    case interrupted = 130

    /// The status of a command that ends with this error.
    package init(_ error: StoreError) {
        if error.encryption?.isConverted == true {
            self = .partial
            return
        }
        guard error.domain == .liteCore else {
            self =
                error.domain == .posix
                ? ExitStatus(System.Failure(Int32(clamping: error.code))) : .failure
            return
        }
        switch StoreError.Code(rawValue: error.code) {
        case .notFound: self = .notFound
        case .cannotOpenFile, .notADatabaseFile, .wrongFormat, .databaseTooOld, .databaseTooNew,
            .cannotUpgradeDatabase, .busy:
            self = .cannotOpen
        case .corruptData, .corruptRevisionData: self = .damaged
        case .conflict: self = .conflict
        default: self = .failure
        }
    }

    /// The status of a command that the system refuses a file.
    package init(_ failure: System.Failure) {
        self =
            failure.isMissing || failure.isForbidden
            ? .cannotOpen : failure.isExisting ? .conflict : .failure
    }
}

/// A failure of the tool itself, in one line.
package struct ToolError: Error {
    package let message: String
    package var status = ExitStatus.failure

    package init(_ message: String, status: ExitStatus = .failure) {
        self.message = message
        self.status = status
    }

    /// Runs `body` on what was typed; what cannot be right ends as wrong usage.
    package static func asUsage<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as StoreError where error.has(.invalidParameter) {
            throw ToolError(error.message, status: .usage)
        } catch let error as StoreError where error.has(.badDocumentID) {
            throw ToolError(error.message, status: .usage)
        }
    }

    /// Does so with every mistake in JSON that was typed, and with none in what was read.
    static func asUsage<T>(ifTyped isTyped: Bool, _ body: () throws -> T) throws -> T {
        guard isTyped else { return try body() }
        do {
            return try asUsage(body)
        } catch let error as ToolError where error.status == .failure {
            throw ToolError(error.message, status: .usage)
        }
    }
}

/// The end of a command that has said already what was wrong.
package struct ReportedFailure: Error {
    package let status: ExitStatus

    package init(status: ExitStatus) {
        self.status = status
    }
}

/// The end of a command that somebody has stopped: what is done, and how to go on.
package struct Interrupted: Error {
    package let message: String

    package init(message: String) {
        self.message = message
    }
}

/// Nobody reads standard output any more, as with `| head`: no failure.
package struct ClosedPipe: Error {}
