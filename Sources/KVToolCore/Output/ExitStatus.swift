package import DocumentStore
internal import SQLCore
internal import SQLPlus

/// The exit status of the tool, for scripts.
package enum ExitStatus: Int32 {
    case success = 0
    case failure = 1
    case usage = 2
    case notFound = 3
    case cannotOpen = 4
    case damaged = 5
    case conflict = 6
    /// Only a part of the request was completed.
    case partial = 7
    /// `diff` found differences.
    case different = 8
    /// 128 plus the number of SIGINT, like in shells.
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

    /// The status of a command that ends with a failed system call.
    package init(_ failure: System.Failure) {
        self =
            failure.isMissing || failure.isForbidden
            ? .cannotOpen : failure.isExisting ? .conflict : .failure
    }
}

/// An error of the tool itself, on one line.
package struct ToolError: Error {
    package let message: String
    package var status = ExitStatus.failure

    package init(_ message: String, status: ExitStatus = .failure) {
        self.message = message
        self.status = status
    }

    /// Runs `body` on command-line input; invalid parameters are reported as usage errors.
    package static func asUsage<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as StoreError where error.has(.invalidParameter) {
            throw ToolError(error.message, status: .usage)
        } catch let error as StoreError where error.has(.badDocumentID) {
            throw ToolError(error.message, status: .usage)
        }
    }

    /// Does the same for all errors in JSON on the command line, but not in JSON from a file.
    static func asUsage<T>(ifTyped isTyped: Bool, _ body: () throws -> T) throws -> T {
        guard isTyped else { return try body() }
        do {
            return try asUsage(body)
        } catch let error as ToolError where error.status == .failure {
            throw ToolError(error.message, status: .usage)
        }
    }
}

/// Ends a command that has already reported its error.
package struct ReportedFailure: Error {
    package let status: ExitStatus

    package init(status: ExitStatus) {
        self.status = status
    }
}

/// Ends an interrupted command, with a message about its progress and how to continue.
package struct Interrupted: Error {
    package let message: String

    package init(message: String) {
        self.message = message
    }
}

/// The reader of standard output has closed it, as in `| head`. This is not an error.
package struct ClosedPipe: Error {
    package init() {}
}
