import DataFileCore
import EngineTestSupport
import FleeceLite
import SQLCore
import StoreFormat
import Testing

@Suite("Documents with version vectors and remotes")
struct VectorDocumentTests {
    let fixture: StoreFixture
    let file: DataFile
    let people = DocumentCollection(.default)

    init() throws {
        fixture = try StoreFixture()
        file = try fixture.open()
    }

    private let peer = "AAAAAAAAAAAAAAAAAAAAEA"

    /// A version of another database, later than all that are created now.
    private func version(_ time: String, _ more: String = "") throws -> RevisionID {
        try RevisionID("\(time)@\(peer)\(more)")
    }

    private func insert(
        _ id: String, _ revision: RevisionID, _ json: String, remote: Int? = 1,
        isDeleted: Bool = false
    ) throws -> DocumentCollection.InsertResult {
        try file.write { transaction in
            try people.insert(
                id, history: [revision], isDeleted: isDeleted, remote: remote, in: transaction
            ) { try $0.writeJSON(json) }
        }
    }

    private func history(_ id: String) throws -> DocumentHistory {
        try #require(try file.read { try people.history(of: id, in: $0) })
    }

    private func rows(_ sql: String) throws -> [[SQLValue]] {
        try fixture.sqlite().selectAll(sql: sql)
    }

    @Test("a remote's revision is stored with its version, and recorded as the remote's")
    func insertNew() throws {
        let theirs = try version("18e9f0b79eed0000")
        guard case .saved(let saved) = try insert("ada", theirs, #"{"n":1}"#) else {
            Issue.record("it was not saved")
            return
        }
        #expect(saved.isNew)
        #expect(saved.revisionID == theirs)
        #expect(try history("ada").remotes == [1: theirs])
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","n":1}"#)
    }

    @Test("a change of ours succeeds theirs, which the remote still has")
    func changeOnTop() throws {
        let theirs = try version("18e9f0b79eed0000")
        _ = try insert("ada", theirs, #"{"n":1,"same":"a text that is shared"}"#)
        try fixture.save("ada", #"{"n":2,"same":"a text that is shared"}"#, in: file)
        let history = try history("ada")
        guard case .vector(let vector) = history.revisionID else { return }
        #expect(
            vector.versions.map(\.source) == [
                .local, try .peer(bytes: [UInt8](repeating: 0, count: 15) + [16]),
            ])
        #expect(history.remotes == [1: theirs])
        // A remote has it, so it is not an older version of ours.
        guard case .known = try insert("ada", theirs, #"{"n":1}"#) else {
            Issue.record("theirs is older")
            return
        }
    }

    @Test("a later revision of theirs that includes ours replaces it")
    func newer() throws {
        let saved = try fixture.save("ada", #"{"n":1}"#, in: file)
        let later = try version("78e9f0b79eed0000", "; \(saved.revisionID)")
        guard case .saved = try insert("ada", later, #"{"n":2}"#) else {
            Issue.record("it was not saved")
            return
        }
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","n":2}"#)
    }

    @Test("a concurrent revision is stored as a conflict; the sequence stays")
    func conflict() throws {
        try fixture.save("ada", #"{"n":1}"#, in: file)
        let theirs = try version("18e9f0b79eed0000")
        guard case .conflict = try insert("ada", theirs, #"{"n":2}"#) else {
            Issue.record("it is not a conflict")
            return
        }
        #expect(
            try rows("SELECT sequence, flags FROM kv_default")
                == [[.long(1), .long(2 | 1 << 16)]])
        #expect(try history("ada").conflicts().map(\.id) == [theirs])
        try fixture.save("ada", #"{"n":3,"of":"ours"}"#, in: file)
        let other = try #require(try history("ada").conflicts().first)
        #expect(other.id == theirs)
        #expect(other.properties?["n"]?.int == 2)
        #expect(throws: StoreError.self) { try insert("ada", theirs, "{}", remote: nil) }
    }

    @Test("a remote's revision does not get older: a stored conflict is not lost")
    func olderOfRemote() throws {
        let older = try version("18e9f0b79eed0000")
        _ = try insert("ada", older, #"{"n":1}"#)
        try fixture.save("ada", #"{"n":2}"#, in: file)
        let newer = try version("18e9f0b79eee0000")
        guard case .conflict = try insert("ada", newer, #"{"n":3}"#) else {
            Issue.record("it is not a conflict")
            return
        }
        let rows = try rows("SELECT * FROM kv_default")
        for revision in [older, newer] {
            guard case .known = try insert("ada", revision, #"{"n":4}"#) else {
                Issue.record("\(revision) is known")
                return
            }
        }
        #expect(try self.rows("SELECT * FROM kv_default") == rows, "nothing is written")
        #expect(try history("ada").conflicts().first?.properties?["n"]?.int == 3)
    }

    @Test("the resolution of a conflict includes both versions")
    func merge() throws {
        let ours = try fixture.save("ada", #"{"n":1}"#, in: file)
        let theirs = try version("18e9f0b79eed0000")
        _ = try insert("ada", theirs, #"{"n":2}"#)
        let saved = try #require(
            try file.write {
                try people.resolveConflicts(of: "ada", in: $0) { current, other in
                    .merge([
                        "n": .int((current["n"]?.int ?? 0) + (other.properties?["n"]?.int ?? 0))
                    ])
                }
            })
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","n":3}"#)
        guard case .vector(let merged) = saved.revisionID, case .vector(let old) = ours.revisionID,
            case .vector(let other) = theirs
        else { return }
        #expect(merged.compare(to: old) == .newer)
        #expect(merged.compare(to: other) == .newer)
        #expect(try rows("SELECT flags FROM kv_default") == [[.long(0)]])
        #expect(try history("ada").conflicts().isEmpty)
        #expect(try history("ada").remotes == [1: theirs])
    }

    @Test("theirs can be taken unchanged")
    func takeOther() throws {
        try fixture.save("ada", #"{"n":1}"#, in: file)
        let theirs = try version("18e9f0b79eed0000")
        _ = try insert("ada", theirs, #"{"n":2,"new key":[1,2,3]}"#)
        let saved = try file.write {
            try people.resolveConflicts(of: "ada", in: $0) { _, _ in .takeOther }
        }
        #expect(saved?.revisionID == theirs)
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","n":2,"new key":[1,2,3]}"#)
    }

    @Test("a deletion of theirs deletes ours, or is taken as the resolution")
    func deletion() throws {
        try fixture.save("ada", #"{"n":1}"#, in: file)
        _ = try insert("ada", version("18e9f0b79eed0000"), "{}", isDeleted: true)
        #expect(try fixture.json("ada", in: file) != nil)
        _ = try file.write {
            try people.resolveConflicts(of: "ada", in: $0) { _, _ in .takeOther }
        }
        #expect(try fixture.json("ada", in: file) == nil)
        #expect(try rows("SELECT flags FROM kv_del_default") == [[.long(1)]])
    }

    @Test("a revision of theirs that restores a deleted document marks it as new")
    func returned() throws {
        let saved = try fixture.save("ada", #"{"n":1}"#, in: file)
        let deleted = try #require(
            try file.write { try fixture.people.delete("ada", in: $0) })
        guard case .vector(let vector) = deleted.revisionID, saved.isNew,
            case .saved(let back) = try insert(
                "ada", version("78e9f0b79eed0000", "; \(vector.text)"), #"{"n":2}"#)
        else {
            Issue.record("it is not saved")
            return
        }
        #expect(back.isNew)
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","n":2}"#)
    }

    @Test("our deletion retains the remote's revision")
    func deletionOfOurs() throws {
        let theirs = try version("18e9f0b79eed0000")
        _ = try insert("ada", theirs, #"{"n":1}"#)
        _ = try file.write { try people.delete("ada", in: $0) }
        #expect(try history("ada").remotes == [1: theirs])
        let row = try rows("SELECT hex(body), hex(substr(extra, 1, 4)) FROM kv_del_default")
        #expect(row == [[.text("7000"), .text("00000000")]])
        try fixture.save("ada", #"{"n":2}"#, in: file)
        #expect(try history("ada").remotes == [1: theirs])
    }

    @Test("the flag that the first remote has it is respected by the next change")
    func synced() throws {
        let first = try fixture.save("ada", #"{"n":1}"#, in: file)
        try fixture.sqlite().exec(sql: "UPDATE kv_default SET flags = flags | 8")
        #expect(try history("ada").remotes == [1: first.revisionID])
        try fixture.save("ada", #"{"n":2}"#, in: file)
        #expect(try history("ada").remotes == [1: first.revisionID])
        #expect(try rows("SELECT flags FROM kv_default") == [[.long(0)]])
    }

    @Test("keys that only a remote's revision has are saved with it")
    func newSharedKeys() throws {
        try fixture.save("ada", #"{"n":1}"#, in: file)
        _ = try insert("ada", version("18e9f0b79eed0000"), #"{"first":1,"second":{"third":3}}"#)
        try fixture.save("ada", #"{"n":2}"#, in: file)
        file.close()
        let file = try fixture.open()
        let history = try #require(try file.read { try people.history(of: "ada", in: $0) })
        #expect(
            try history.conflicts().first?.properties?["second"]?["third"]?.int == 3)
    }

    @Test(
        "a document whose extra data is damaged is not overwritten",
        arguments: ["00000000", "0000000080038003", "00000000600170014000FFFF80048003", "01"])
    func damaged(extra: String) throws {
        try fixture.save("ada", #"{"n":1}"#, in: file)
        try fixture.sqlite().exec(sql: "UPDATE kv_default SET extra = x'\(extra)'")
        let error = #expect(throws: StoreError.self) {
            try fixture.save("ada", #"{"n":2}"#, in: file)
        }
        #expect(error?.has(.corruptRevisionData) == true, "\(error.map { "\($0)" } ?? "")")
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","n":1}"#)
    }
}
