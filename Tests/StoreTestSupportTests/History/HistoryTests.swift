import DocumentStore
import StoreTestSupport
import Testing

@Suite("HistoryTest")
struct HistoryTests {
    @Test("a store that implements the format agrees with the model, over many histories")
    func reference() throws {
        var tally = HistoryTally()
        for seed in 1...40 as ClosedRange<UInt64> {
            tally.add(try HistoryTest().run(seed: seed) { ListDriver() })
        }
        // Each operation had each of its outcomes, more than once.
        let ends = [
            "save: saved", "save: conflict", "delete: saved", "delete: conflict",
            "save flags: saved with its sequence kept", "save flags: conflict",
            "add flags: changed", "add flags: unchanged", "purge: changed", "purge: unchanged",
            "set expiration: changed", "set expiration: unchanged", "purge expired: zero",
            "purge expired: a number", "move: moved", "move: missing", "move: conflict",
            "put raw: done", "get: found", "get: missing", "get by sequence: found",
            "get by sequence: missing", "get many: found", "get many: missing",
            "get raw: found", "get raw: missing", "enumerate key: found",
            "enumerate key: missing", "enumerate sequence: found",
            "enumerate sequence: missing", "enumerate unsorted: found", "count: counted",
            "last sequence: a number", "purge count: a number", "next expiration: a number",
            "next expiration: none", "transaction: committed", "transaction: rolled back",
            "savepoint: committed", "savepoint: rolled back", "reopen: done",
        ]
        for end in ends {
            #expect(tally.counts[end, default: 0] >= 5, "\(end): \(tally.counts[end] ?? 0)")
        }
        #expect(Set(tally.counts.keys).subtracting(ends).subtracting(Self.rareEnds) == [])
    }

    private static let rareEnds: Set = [
        "last sequence: zero", "purge count: zero", "enumerate unsorted: missing",
    ]

    @Test(
        "a defect of a store is detected, by a history of a few operations",
        arguments: ListDriver.Defect.allCases)
    func defects(_ defect: ListDriver.Defect) throws {
        var found: HistoryFailure?
        for seed in 1...20 as ClosedRange<UInt64> where found == nil {
            do {
                try HistoryTest().run(seed: seed) { ListDriver(defect) }
            } catch let failure as HistoryFailure {
                found = failure
            }
        }
        let failure = try #require(found)
        #expect(failure.history.operationCount <= 6, "\(failure)")
        #expect(failure.originalCount >= 1000)
        #expect(failure.expected != failure.got)
        // The short history fails by itself, and only with the defect.
        let again = #expect(throws: HistoryFailure.self) {
            try HistoryTest().run(failure.history, on: ListDriver(defect))
        }
        #expect(again?.got == failure.got)
        try HistoryTest().run(failure.history, on: ListDriver())
    }

    @Test("a failure prints its seed, its steps and the two results")
    func printing() throws {
        let history: [HistoryStep] = [
            .transaction(
                [
                    .operation(
                        .save(
                            key: "a", store: "default", HistoryContent(version: [1]),
                            flags: .deleted, .right)),
                    .savepoint(
                        [.operation(.purge(key: "a", store: "default", .anything))],
                        rollsBack: true),
                ], rollsBack: false),
            .operation(.count(store: "default")),
        ]
        let failure = #expect(throws: HistoryFailure.self) {
            try HistoryTest().run(history, on: ListDriver(.countsTombstones))
        }
        #expect(
            failure?.description == """
                the store differs from its model (3 of 3 operations):
                  transaction {
                    save "a" in default [deleted] expecting right: version [1] body [] extra []
                    savepoint, rolled back {
                      purge "a" in default expecting anything
                    }
                  }
                  count default
                where: count default
                expected:
                    0 live, 1 deleted
                got:
                    1 live, 1 deleted
                """)
        let seeded = #expect(throws: HistoryFailure.self) {
            try HistoryTest().run(seed: 77) { ListDriver(.countsTombstones) }
        }
        #expect(seeded?.description.contains("(seed 77, ") == true)
    }

    @Test("the same seed generates the same history, another seed another one")
    func seeds() {
        let test = HistoryTest()
        #expect(test.history(seed: 5) == test.history(seed: 5))
        #expect(test.history(seed: 5) != test.history(seed: 6))
        #expect(test.history(seed: 5).operationCount >= 1000)
    }

    @Test("an error of a driver's own checks is a failure, after reopening and at the end")
    func invariants() throws {
        let failure = #expect(throws: HistoryFailure.self) {
            try HistoryTest().run([.reopen], on: ListDriver(findsWrongAfter: 0))
        }
        #expect(failure?.operation == "the invariants after reopening")
        let end = #expect(throws: HistoryFailure.self) {
            try HistoryTest().run([.reopen], on: ListDriver(findsWrongAfter: 1))
        }
        #expect(end?.operation == "the invariants at the end")
    }
}
