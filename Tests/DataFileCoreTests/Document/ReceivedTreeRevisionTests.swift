import DataFileCore
import EngineTestSupport
import FleeceLite
import SQLCore
import StoreFormat
import Testing

private let first = "1-efc063de4980de6919d3b6dde4e81c3ef8bf8ee8"
private let second = "2-d64d07d9472bca6eed88fd8a5799234fb8251afe"
private let other = "2-0000000000000000000000000000000000000002"

/// A database with revision trees sends documents to one with version vectors.
@Suite("Tree revisions in a file with version vectors")
struct ReceivedTreeRevisionTests {
    let fixture: StoreFixture
    let file: DataFile
    let people = DocumentCollection(.default)

    init() throws {
        fixture = try StoreFixture()
        file = try fixture.open()
    }

    private func insert(
        _ history: [String], _ json: String, remote: Int? = 1
    ) throws -> DocumentCollection.InsertResult {
        try file.write { transaction in
            try people.insert(
                "ada", history: try history.map { try RevisionID($0) }, remote: remote,
                in: transaction
            ) { try $0.writeJSON(json) }
        }
    }

    private var history: DocumentHistory {
        get throws { try #require(try file.read { try people.history(of: "ada", in: $0) }) }
    }

    private func conflicts() throws -> [String] {
        try history.conflicts().map(\.id.description)
    }

    @Test("The row is the same as in LiteCore's file")
    func row() throws {
        _ = try insert([first], #"{"n":2,"name":"Doc 2"}"#)
        let row = try fixture.sqlite().selectAll(
            sql: "SELECT hex(version), hex(extra), flags FROM kv_default")
        #expect(
            row == [
                [
                    .text("01EFC063DE4980DE6919D3B6DDE4E81C3EF8BF8EE8"),
                    .text(
                        "000000007001412EC00A5F1501EFC063DE4980DE6919D3B6DDE4E81C3EF8BF8EE8"
                            + "007002412EC019414080106002801580078003"), .long(0),
                ]
            ])
    }

    @Test("It is read with the revision of the remote")
    func reading() throws {
        _ = try insert([first], #"{"n":1}"#)
        #expect(try history.revisionID?.description == first)
        #expect(try history.remotes.mapValues(\.description) == [1: first])
        #expect(try history.revisionList().map(\.id.description) == [first])
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","n":1}"#)
    }

    @Test("A successor replaces it, and what remotes have is known")
    func successor() throws {
        _ = try insert([first], #"{"n":1}"#)
        guard case .saved = try insert([second, first], #"{"n":2}"#) else {
            Issue.record("the successor is not saved")
            return
        }
        guard case .known = try insert([second, first], #"{"n":1}"#, remote: 2) else {
            Issue.record("it is not known")
            return
        }
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","n":2}"#)
        #expect(try history.remotes.mapValues(\.description) == [1: second, 2: second])
    }

    @Test(
        "Another branch is a conflict, which is resolved by a version",
        arguments: [[other], [other, first], ["1-00"]])
    func conflict(branch: [String]) throws {
        _ = try insert([second, first], #"{"n":2}"#)
        guard case .conflict = try insert(branch, #"{"n":3}"#) else {
            Issue.record("it is not a conflict")
            return
        }
        #expect(try conflicts() == [branch[0]])
        _ = try file.write { transaction in
            try people.resolveConflicts(of: "ada", in: transaction) { _, _ in .merge(["n": 4]) }
        }
        #expect(try conflicts() == [])
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","n":4}"#)
        #expect(try history.remotes.mapValues(\.description) == [1: branch[0]])
        // The version includes the later one of the two.
        let later = branch[0] == other ? [other, second].max() : second
        #expect(try history.legacyRevisionID?.description == later)
        guard case .known = try insert(branch, #"{"n":3}"#) else {
            Issue.record("it is a conflict again")
            return
        }
    }

    @Test("Taking the other branch takes over its ID")
    func takeOther() throws {
        _ = try insert([second, first], #"{"n":2}"#)
        _ = try insert([other, first], #"{"n":3}"#)
        _ = try file.write { transaction in
            try people.resolveConflicts(of: "ada", in: transaction) { _, _ in .takeOther }
        }
        #expect(try history.revisionID?.description == other)
        #expect(try conflicts() == [])
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","n":3}"#)
    }

    @Test("A change makes a version, which succeeds the tree revision")
    func change() throws {
        _ = try insert([first], #"{"n":1}"#)
        try fixture.save("ada", #"{"n":2}"#, in: file)
        let history = try history
        guard case .vector(let vector)? = history.revisionID else {
            Issue.record("it has no version")
            return
        }
        #expect(vector.versions.map(\.source) == [.local, .legacy])
        #expect(history.lastListed?.id.description == first)
        #expect(history.remotes.mapValues(\.description) == [1: first])
        guard case .known = try insert([first], #"{"n":1}"#, remote: 2) else {
            Issue.record("the revision before the change is not known")
            return
        }
        guard case .conflict = try insert([second, first], #"{"n":3}"#) else {
            Issue.record("another successor is no conflict")
            return
        }
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","n":2}"#)
    }

    @Test("A version whose history names the tree revision replaces it")
    func version() throws {
        let theirs = "18e9f0b79eed0000@AAAAAAAAAAAAAAAAAAAAEA"
        _ = try insert([first], #"{"n":1}"#)
        guard case .saved = try insert([theirs, first], #"{"n":2}"#) else {
            Issue.record("it is not saved")
            return
        }
        #expect(try conflicts() == [])
        #expect(try history.lastListed?.id.description == first)
        _ = try insert([second, first], #"{"n":3}"#)
        #expect(try conflicts() == [second])
    }

    @Test("A version with such a history is known to its remote, and nothing is to be sent")
    func knownVersion() throws {
        let theirs = "18e9f0b79eed0000@AAAAAAAAAAAAAAAAAAAAEA"
        _ = try insert([theirs, first], #"{"n":2}"#)
        #expect(try history.remotes[1] == history.revisionID)
        #expect(try history.revisionList().filter { !$0.isLegacy }.count == 1)
        guard case .known = try insert([theirs, first], #"{"n":2}"#) else {
            Issue.record("it is not known")
            return
        }
        // A change still succeeds the tree revision.
        try fixture.save("ada", #"{"n":3}"#, in: file)
        #expect(try history.legacyRevisionID?.description == first)
    }

    @Test("A version without that history is a conflict")
    func unrelatedVersion() throws {
        let theirs = "18e9f0b79eed0000@AAAAAAAAAAAAAAAAAAAAEA"
        _ = try insert([first], #"{"n":1}"#)
        _ = try insert([theirs], #"{"n":2}"#)
        #expect(try conflicts() == [theirs])
    }

    @Test("A history that mixes them up is refused")
    func mixedUp() throws {
        let theirs = "18e9f0b79eed0000@AAAAAAAAAAAAAAAAAAAAEA"
        #expect(throws: StoreError.self) { try insert([first, theirs], "{}") }
        #expect(throws: StoreError.self) { try insert([theirs, theirs], "{}") }
    }
}

extension DocumentHistory {
    fileprivate var lastListed: RevisionListItem? { try? revisionList().last }
}
