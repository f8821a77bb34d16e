import DocumentStore
import Foundation
import StoreTestSupport
import Testing

import KVToolCore

@Suite("Advice of the engine, at the command line")
struct StoreErrorWordsTests {
    @Test("to close and open the file again becomes to run the command again")
    func replacedFile() throws {
        let database = try SampleDatabase(people: 1)
        let file = try DataFile(path: database.path, options: .init(access: .readWrite))
        defer { file.close() }
        _ = try file.write { try DocumentCollection(.default).count(in: $0) }
        try FileManager.default.moveItem(
            atPath: database.path, toPath: database.directory("moved.cblite2"))
        let error = #expect(throws: StoreError.self) {
            try file.write { try DocumentCollection(.default).delete("person-0001", in: $0) }
        }
        #expect(error?.message.hasSuffix("; close it and open it again") == true)
        #expect(
            error?.messageForPeople
                == "\(database.path) was removed or replaced while it was open; run the command "
                + "again")
    }

    @Test("to salvage, or to verify, names the command for it")
    func commands() {
        let damaged = StoreError(
            .corruptData, "x is damaged (y); restore it from a backup, or recover it")
        #expect(
            damaged.messageForPeople
                == "x is damaged (y); restore it from a backup, or recover it with kvtool recover")
        let missing = StoreError(
            .corruptData, "the index i is missing in the file; verify the file and fix it")
        #expect(
            missing.messageForPeople
                == "the index i is missing in the file; kvtool verify --fix rebuilds it")
    }

    @Test("is to check the file if a commit has failed, and is not changed otherwise")
    func otherErrors() {
        let failed = StoreError(
            .notWriteable, "x is not written to since a commit failed; close it and open it again")
        #expect(
            failed.messageForPeople
                == "x is not written to since a commit failed; check it with kvtool verify, "
                + "then try again")
        let other = StoreError(.busy, "x is locked by another process; try again")
        #expect(other.messageForPeople == other.message)
    }
}
