import DataFileCore
import Foundation
import QueryEngine
import Testing

@Suite(
    "The cost of live queries", .timeLimit(.minutes(20)), .serialized,
    .enabled(if: ProcessInfo.processInfo.environment["STORE_MEASURE"] != nil, "no STORE_MEASURE"))
struct LiveMeasureTests {
    @Test(
        "from the return of a commit of one of 100,000 documents to the new result",
        arguments: [
            "SELECT age FROM _ WHERE state = 's7'",
            "SELECT age FROM _ WHERE state = 's7' ORDER BY age, META().id",
            "SELECT age FROM _ WHERE state = 's7' ORDER BY age, META().id LIMIT 10",
            "SELECT COUNT(*) AS count FROM _ WHERE state = 's7'",
            "SELECT state, age FROM _",
            "SELECT state, age FROM _ ORDER BY age, META().id",
        ])
    func latency(text: String) async throws {
        let fixture = try LiveFixture()
        let file = fixture.file
        try await file.write { transaction in
            for number in 0..<100_000 {
                let json = #"{"state":"s\#(number % 50)","age":\#(number % 90),"x":\#(number)}"#
                try fixture.save("d\(number)", json, transaction)
            }
            try fixture.people.createIndex(.value("byState", on: "state"), in: transaction)
        }
        let query = try Query(text)
        let reading = LiveReading(file.observe(query))
        let count = try await reading.next()?.count ?? 0
        let clock = ContinuousClock()
        var times: [Duration] = []
        for round in 0..<60 {
            // In turns a document becomes and ceases to be a row, at the beginning of the order.
            let state = round % 2 == 0 ? "s7" : "gone"
            try await file.write { transaction in
                try fixture.save("new", #"{"state":"\#(state)","age":\#(round % 2)}"#, transaction)
            }
            let start = clock.now
            #expect(try await reading.next() != nil)
            times.append(clock.now - start)
        }
        times.sort()
        print("\(text): \(count) rows, median \(times[30]), least \(times[0]), most \(times[59])")
    }
}
