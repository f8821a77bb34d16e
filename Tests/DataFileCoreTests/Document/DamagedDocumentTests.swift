import DataFileCore
import FleeceLite
import Foundation
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing

/// One damaged row among intact ones.
@Suite("Damaged documents")
struct DamagedDocumentTests {
    let directory: TemporaryDirectory
    let path: String
    let people = DocumentCollection(.default)

    init() throws {
        directory = try TemporaryDirectory()
        path = directory("damaged.cblite2")
    }

    /// A way in which a row can be damaged: what its columns are set to.
    struct Damage: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let versioning: Versioning
        let columns: String
        /// Whether the current body is readable nevertheless.
        let isReadable: Bool
        /// Whether a new body replaces it, because nothing of the damage has to be preserved.
        var isReplaced = false
    }

    static let all: [Damage] = [
        // A record: size | parent | flags, length of id | id | sequence. The row's version is 0141.
        Damage(
            testDescription: "a tree that ends too early", versioning: .treesInExtra,
            columns: "version = x'0141', extra = x'0000000BFFFF0202'", isReadable: true),
        Damage(
            testDescription: "a parent out of range", versioning: .treesInExtra,
            columns: """
                version = x'0141', extra = x'0000000B00070202014101' || x'0000000000000000'
                """, isReadable: true),
        Damage(
            testDescription: "a revision that is its own parent", versioning: .treesInExtra,
            columns: """
                version = x'0141', extra = x'0000000B00000202014101' || x'0000000000000000'
                """, isReadable: true),
        Damage(
            testDescription: "two revisions that are each other's parent",
            versioning: .treesInExtra,
            columns: """
                version = x'0241', extra = x'0000000B00010202024101' || x'0000000B00000002014101' \
                || x'0000000000000000'
                """, isReadable: true),
        Damage(
            testDescription: "a remote that has a revision out of range",
            versioning: .treesInExtra,
            columns: """
                version = x'0141', extra = x'0000000BFFFF0202014101' || x'00000000' \
                || x'0001000900000000'
                """, isReadable: true),
        Damage(
            testDescription: "a tree of another document", versioning: .treesInExtra,
            columns: """
                version = x'0142', extra = x'0000000BFFFF0202014101' || x'0000000000000000'
                """, isReadable: true),
        Damage(
            testDescription: "a revision id without a digest", versioning: .treesInExtra,
            columns: "version = x'01'", isReadable: false),
        Damage(
            testDescription: "a vector without a version", versioning: .versionVectors,
            columns: "version = x'00'", isReadable: false),
        Damage(
            testDescription: "a vector that ends too early", versioning: .versionVectors,
            columns: "version = x'00FFFFFF'", isReadable: false),
        Damage(
            testDescription: "a vector of a peer of three bytes", versioning: .versionVectors,
            columns: "version = x'00808080808001' || x'03010203'", isReadable: false),
        Damage(
            testDescription: "an extra that is not an array", versioning: .versionVectors,
            columns: "extra = x'0000000070008001'", isReadable: true),
        Damage(
            // An array of a wide extern pointer, far before the body.
            testDescription: "an extra that points outside the body", versioning: .versionVectors,
            columns: "extra = x'00000000' || x'68027000' || x'0000C000FFFF' || x'8005'",
            isReadable: true),
        Damage(
            testDescription: "a body that is not a dictionary", versioning: .versionVectors,
            columns: "body = x'0001'", isReadable: false, isReplaced: true),
        Damage(
            testDescription: "a body that points before itself", versioning: .versionVectors,
            columns: "body = x'9FFF'", isReadable: false, isReplaced: true),
    ]

    private func plant(_ damage: Damage) throws -> DataFile {
        var options = DataFileOptions(access: .create)
        options.versioning = damage.versioning
        let file = try DataFile(path: path, options: options)
        try file.write { transaction in
            for id in ["a", "damaged", "z"] {
                _ = try people.save(id, in: transaction) { try $0.writeJSON(#"{"n":1}"#) }
            }
        }
        file.close()
        try SQLContext(path: path + "/db.sqlite3", flags: .readWrite)
            .exec(sql: "UPDATE kv_default SET \(damage.columns) WHERE key = 'damaged'")
        return try DataFile(path: path, options: DataFileOptions(access: .readWrite))
    }

    private func isDamage(_ error: (any Error)?) -> Bool {
        guard let error = error as? StoreError else { return false }
        let isCorrupt = error.has(.corruptRevisionData) || error.has(.corruptData)
        return isCorrupt && error.message.components(separatedBy: "\"damaged\"").count == 2
    }

    private func row() throws -> [[SQLValue]] {
        try SQLContext(path: path + "/db.sqlite3", flags: .readOnly).selectAll(
            sql: """
                SELECT sequence, flags, version, body, extra FROM kv_default
                WHERE key = 'damaged'
                """)
    }

    @Test("are errors that name them, and enumeration continues", arguments: all)
    func reading(_ damage: Damage) throws {
        let file = try plant(damage)
        try file.read { snapshot in
            var walked: [String] = []
            try people.forEach(in: snapshot) { result in
                switch result {
                case .success(let document): walked.append(document.id)
                case .failure(let error):
                    #expect(isDamage(error), "\(error)")
                    walked.append("an error")
                }
            }
            #expect(walked == ["a", damage.isReadable ? "damaged" : "an error", "z"])
            var typed: [Bool] = []
            try people.of([String: Int].self).forEach(in: snapshot) { _, result in
                typed.append((try? result.get()) == ["n": 1])
            }
            #expect(typed == [true, damage.isReadable, true])
            if damage.isReadable {
                #expect(try people.get("damaged", in: snapshot)?["n"]?.int == 1)
            } else {
                let error = #expect(throws: StoreError.self) {
                    try people.get("damaged", in: snapshot)
                }
                #expect(isDamage(error), "\(error.map { "\($0)" } ?? "")")
            }
            let error = #expect(throws: StoreError.self) {
                try people.history(of: "damaged", in: snapshot)?.conflicts()
            }
            #expect(isDamage(error), "\(error.map { "\($0)" } ?? "")")
            #expect(try people.count(in: snapshot).live == 3)
        }
    }

    @Test("are not overwritten, unless nothing of the damage has to be preserved", arguments: all)
    func writing(_ damage: Damage) throws {
        let file = try plant(damage)
        let before = try row()
        func write() throws {
            try file.write { transaction in
                _ = try people.save("damaged", in: transaction) { try $0.writeJSON(#"{"n":2}"#) }
            }
        }
        if damage.isReplaced {
            try write()
            #expect(try file.read { try people.get("damaged", in: $0)?["n"]?.int } == 2)
            return
        }
        let error = #expect(throws: StoreError.self) { try write() }
        #expect(isDamage(error), "\(error.map { "\($0)" } ?? "")")
        let deletion = #expect(throws: StoreError.self) {
            try file.write { _ = try people.delete("damaged", in: $0) }
        }
        #expect(isDamage(deletion), "\(deletion.map { "\($0)" } ?? "")")
        let resolution = #expect(throws: StoreError.self) {
            try file.write { transaction in
                _ = try people.resolveConflicts(of: "damaged", in: transaction) { _, _ in .delete }
            }
        }
        #expect(isDamage(resolution), "\(resolution.map { "\($0)" } ?? "")")
        #expect(try row() == before)
    }

    @Test("do not prevent saving others in the same transaction", arguments: all)
    func others(_ damage: Damage) throws {
        let file = try plant(damage)
        try file.write { transaction in
            for id in ["a", "damaged", "z"] {
                let result = Result {
                    try people.save(id, in: transaction) { try $0.writeJSON(#"{"n":2}"#) }
                }
                #expect((try? result.get()) != nil || id == "damaged")
            }
        }
        let numbers = try file.read { snapshot in
            try ["a", "z"].map { try people.get($0, in: snapshot)?["n"]?.int }
        }
        #expect(numbers == [2, 2])
    }

    @Test("can be purged", arguments: all)
    func purging(_ damage: Damage) throws {
        let file = try plant(damage)
        #expect(try file.write { try people.purge("damaged", in: $0) })
        #expect(try file.read { try people.get("damaged", includesDeleted: true, in: $0) } == nil)
        let saved = try file.write { transaction in
            try people.save("damaged", in: transaction) { try $0.writeJSON(#"{"n":3}"#) }
        }
        #expect(saved.isNew)
        #expect(try file.read { try people.count(in: $0).live } == 3)
    }
}
