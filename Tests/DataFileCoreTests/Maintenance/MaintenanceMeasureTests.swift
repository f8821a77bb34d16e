import DataFileCore
import EngineTestSupport
import Foundation
import SQLCore
import StoreTestSupport
import StoreTools
import Testing

@Suite(
    "What maintenance costs", .timeLimit(.minutes(20)),
    .enabled(if: ProcessInfo.processInfo.environment["STORE_MEASURE"] != nil, "no STORE_MEASURE"))
struct MaintenanceMeasureTests {
    @Test("of 100,000 documents of 500 bytes")
    func times() throws {
        let fixture = try StoreFixture()
        let file = try fixture.open()
        try fixture.fill(file, count: 100_000)
        let clock = ContinuousClock()
        func measure(_ name: String, _ body: () throws -> Void) throws {
            let time = try clock.measure(body)
            print("\(name): \(time), \(ProcessMemory.peakMegabytes) MB at most so far")
        }
        try measure("statistics") { _ = try file.statistics() }
        try measure("integrity check") {
            let report = try file.integrityCheck()
            #expect(report.isIntact)
        }
        try measure("copy") { try file.copy(to: fixture.directory("copy.cblite2")) }
        try measure("optimize") { try file.optimize() }
        try fixture.sqlite().exec(sql: "DELETE FROM kv_default WHERE rowid % 2 = 0")
        try measure("compact") { try file.compact() }
        file.close()
        try measure("salvage of a whole file") {
            let report = try Salvage(from: fixture.path, to: fixture.directory("1.cblite2")).run()
            #expect(report.savedRecords == 50_005)
        }
        try fixture.overwrite(page: 1, with: Array(repeating: 0, count: 4096))
        try measure("salvage without page 1") {
            let report = try Salvage(from: fixture.path, to: fixture.directory("2.cblite2")).run()
            #expect(report.savedRecords == 50_005)
        }
    }
}
