import Dispatch
import Foundation
import Testing

@testable import FleeceLite

#if os(macOS) || os(Linux)

    /// Threads other than the first have a stack of 512 KiB on Apple's systems, also those that run
    /// tasks; an overflow there ends the process, which is why each test is one of its own.
    @Suite("Safety: the deepest documents on a small stack")
    struct StackTests {
        @Test("JSON of the most levels is read")
        func reading() async {
            await #expect(processExitsWith: .success) {
                try SmallStack.run {
                    let levels = FleeceLimits.jsonDepth / 2
                    let text =
                        String(repeating: #"[{"a":"#, count: levels) + "1"
                        + String(repeating: "}]", count: levels)
                    _ = try encoded(json: text)
                }
            }
        }

        @Test("Arrays of the most levels are written")
        func writingArrays() async {
            await #expect(processExitsWith: .success) {
                try SmallStack.run {
                    _ = try json(Hostile.nested(levels: FleeceLimits.walkDepth))
                }
            }
        }

        @Test("Dictionaries of the most levels are written")
        func writingDictionaries() async {
            await #expect(processExitsWith: .success) {
                try SmallStack.run {
                    _ = try json(Hostile.nestedDictionaries(levels: FleeceLimits.walkDepth))
                }
            }
        }
    }

    /// A thread with a stack of 512 KiB, of which its caller has used little.
    private enum SmallStack {
        private final class Outcome: @unchecked Sendable {
            // Unchecked because one thread writes it before the other reads it.
            var error: (any Error)?
        }

        static func run(_ body: @escaping @Sendable () throws -> Void) throws {
            let outcome = Outcome()
            let end = DispatchSemaphore(value: 0)
            let thread = Thread {
                do { try body() } catch { outcome.error = error }
                end.signal()
            }
            thread.stackSize = 512 << 10
            thread.start()
            end.wait()
            if let error = outcome.error { throw error }
        }
    }

#endif
