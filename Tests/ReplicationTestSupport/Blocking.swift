internal import Foundation

/// Work that waits, on a thread of its own: there may be only two threads of tasks.
package enum Blocking {
    package static func run<T: Sendable>(
        _ body: @escaping @Sendable () throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
        }
    }
}
