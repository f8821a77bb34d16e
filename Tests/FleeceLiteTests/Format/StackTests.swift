import Dispatch
import Foundation
import Testing

import FleeceLite

#if os(macOS) || os(Linux)

    /// Threads other than the first have a stack of 512 KiB on Apple's systems, including those
    /// that run tasks; an overflow ends the process, so each is a separate test.
    @Suite("Safety: the deepest documents on a small stack")
    struct StackTests {
        @Test("JSON with the maximum number of levels is read")
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

        @Test("Arrays with the maximum number of levels are written")
        func writingArrays() async {
            await #expect(processExitsWith: .success) {
                try SmallStack.run {
                    _ = try json(Hostile.nested(levels: FleeceLimits.walkDepth))
                }
            }
        }

        @Test("Dictionaries with the maximum number of levels are written")
        func writingDictionaries() async {
            await #expect(processExitsWith: .success) {
                try SmallStack.run {
                    _ = try json(Hostile.nestedDictionaries(levels: FleeceLimits.walkDepth))
                }
            }
        }

        @Test("Mutable values with the maximum number of levels are changed, compared and written")
        func mutableValues() async {
            await #expect(processExitsWith: .success) {
                try SmallStack.run {
                    let levels = FleeceLimits.walkDepth
                    let path = PropertyPath(Array(repeating: .key("a"), count: levels))
                    var value = MutableFleeceDictionary()
                    value[path] = 1
                    let bytes = try encoded { try $0.write(value) }
                    let document = try FleeceDocument(trusted: bytes)
                    var copy = MutableFleeceValue.value(document.root)
                    #expect(copy == .dictionary(value))
                    copy[path] = 2
                    #expect(copy != .dictionary(value))
                    #expect(copy[path] == 2)
                }
            }
        }

        @Test("Values with the maximum number of levels are compared for a delta")
        func deltas() async {
            await #expect(processExitsWith: .success) {
                try SmallStack.run {
                    let levels = FleeceLimits.jsonDepth
                    let old = try Hostile.nestedDictionaries(levels: FleeceLimits.walkDepth)
                    let new = try Hostile.nestedDictionaries(levels: FleeceLimits.walkDepth)
                    _ = try FleeceDelta(
                        from: FleeceDocument(trusted: old).root,
                        to: FleeceDocument(trusted: new).root)
                    let open = String(repeating: #"{"a":"#, count: levels)
                    let close = String(repeating: "}", count: levels)
                    let value = try FleeceDocument(trusted: encoded(json: open + "1" + close)).root
                    _ = try FleeceDelta(json: open + "2" + close).applied(to: value)
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
