import DataFileCore
import EngineTestSupport
import FleeceLite
import Testing
@testable import StoreFormat

@Suite("Concurrent version vectors")
struct VectorMeetingTests {
    let fixture: StoreFixture
    let file: DataFile
    let people = DocumentCollection(.default)

    init() throws {
        fixture = try StoreFixture()
        file = try fixture.open()
    }

    private let ann = "AAAAAAAAAAAAAAAAAAAAEA"
    private let ben = "AAAAAAAAAAAAAAAAAAAAIA"

    private func insert(
        _ id: String, _ revision: String, _ json: String, remote: Int? = 1,
        isDeleted: Bool = false
    ) throws -> DocumentCollection.InsertResult {
        try file.write { transaction in
            try people.insert(
                id, history: [try RevisionID(revision)], isDeleted: isDeleted, remote: remote,
                in: transaction
            ) { try $0.writeJSON(json) }
        }
    }

    private func history(_ id: String) throws -> DocumentHistory {
        try #require(try file.read { try people.history(of: id, in: $0) })
    }

    private func text(_ saved: DocumentCollection.Saved?) -> String {
        guard case .vector(let vector) = saved?.revisionID else { return "" }
        return vector.text
    }

    @Test("a revision that includes both resolves the conflict, whichever remote it comes from")
    func endedElsewhere() throws {
        let ours = try fixture.save("ada", #"{"n":1}"#, in: file)
        let theirs = "18e9f0b79eed0000@\(ann)"
        guard case .conflict = try insert("ada", theirs, #"{"n":2}"#, remote: 1) else {
            Issue.record("it is not a conflict")
            return
        }
        let merged = "7000000000000000@\(ben), \(text(ours)), \(theirs);"
        guard case .saved = try insert("ada", merged, #"{"n":3}"#, remote: 2) else {
            Issue.record("it was not saved")
            return
        }
        #expect(try history("ada").conflicts().isEmpty)
        #expect(try file.read { try people.get("ada", in: $0) }?.flags == [])
        #expect(try history("ada").remotes.count == 2)
    }

    @Test("a conflict keeps the revision that both sides had, until it is resolved")
    func ancestor() throws {
        let base = "18e9f0b79eed0000@\(ann)"
        guard case .saved = try insert("ada", base, #"{"n":1}"#) else {
            Issue.record("it was not saved")
            return
        }
        #expect(try history("ada").commonAncestor() == nil)
        _ = try fixture.save("ada", #"{"n":2}"#, in: file)
        // The second one of the remote has the same ancestor as the first one.
        for theirs in ["18e9f0b79eee0000@\(ann)", "18e9f0b79eef0000@\(ann)"] {
            guard case .conflict = try insert("ada", theirs, #"{"n":3}"#) else {
                Issue.record("it is not a conflict")
                return
            }
            let ancestor = try #require(try history("ada").commonAncestor())
            #expect(ancestor.id.description == base && ancestor.properties?["n"]?.int == 1)
            #expect(!ancestor.isLeaf && !ancestor.isUnresolved)
        }
        // An edit of this database leaves it as it is.
        _ = try fixture.save("ada", #"{"n":4}"#, in: file)
        #expect(try history("ada").commonAncestor()?.properties?["n"]?.int == 1)
        #expect(try file.integrityCheck().findings.isEmpty)
        try file.write { transaction in
            _ = try people.resolveConflicts(of: "ada", in: transaction) { _, _ in .keepCurrent }
        }
        #expect(try history("ada").commonAncestor() == nil)
        #expect(try history("ada").revisionList().count == 2)
    }

    @Test("a remote's revision over a tombstone marks the document as new")
    func overTombstone() throws {
        let ours = try fixture.save("ada", #"{"n":1}"#, in: file)
        _ = ours
        let deleted = try file.write { try people.delete("ada", in: $0) }
        guard
            case .saved(let saved) = try insert(
                "ada", "7000000000000000@\(ann); \(text(deleted))", #"{"n":2}"#)
        else {
            Issue.record("it was not saved")
            return
        }
        #expect(saved.isNew)
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","n":2}"#)
    }

    @Test("a document with the last valid time is changed and deleted; its new versions are of now")
    func endOfTime() throws {
        for (id, version) in [
            ("ada", "7fffffffffffffff@\(ann)"), ("eve", "7ffffffffffffff0@\(ann)"),
            ("own", "7fffffffffffffff@*"), ("two", "7fffffffffffffff@*; 7ffffffffffffffe@\(ann)"),
            ("all", "7fffffffffffffff@*, 7ffffffffffffffe@\(ann), 7ffffffffffffffd@*;"),
        ] {
            _ = try insert(id, version, #"{"n":1}"#)
            let before = try VersionVector(text: version)
            var last = LogicalTime.zero
            for number in 2...4 {
                let saved = try fixture.save(id, "{\"n\":\(number)}", in: file)
                guard case .vector(let vector) = saved.revisionID else { return }
                #expect(vector.first.source == .local && vector.first.time > last)
                #expect(vector.first.time < HybridClock().latestPlausible)
                let ann = before.versions.filter { $0.source != .local }.map { $0.marked(false) }
                #expect(vector.others == ann)
                last = vector.first.time
            }
            #expect(try file.write { try people.delete(id, in: $0) } != nil)
        }
    }

    @Test("a conflict with a version of the last valid time is resolved at the present time")
    func endOfTimeInConflict() throws {
        for (ours, theirs) in [
            ("7fffffffffffffff@*", "18e9f0b79eed0000@\(ann)"),
            ("18e9f0b79eed0000@*", "7fffffffffffffff@\(ann)"),
            ("7fffffffffffffff@*", "7fffffffffffffff@\(ann)"),
        ] {
            for answer in [ConflictResolution.keepCurrent, .takeOther, .delete, .merge(["n": 3])] {
                let id = DocumentID.generate()
                _ = try insert(id, ours, #"{"n":1}"#, remote: nil)
                guard case .conflict = try insert(id, theirs, #"{"n":2}"#) else {
                    Issue.record("no conflict")
                    return
                }
                _ = try file.write {
                    try people.resolveConflicts(of: id, in: $0) { _, _ in answer }
                }
                let history = try history(id)
                #expect(try history.conflicts().isEmpty)
                guard case .vector(let vector) = history.revisionID else { return }
                #expect(try VersionVector(binary: vector.binary) == vector)
                if case .takeOther = answer { continue }
                #expect(vector.first.source == .local)
                #expect(vector.first.time < HybridClock().latestPlausible)
            }
        }
    }

    @Test("conflicts with three remotes are resolved one after the other, in every way")
    func threeRemotes() throws {
        for answers in [
            [ConflictResolution.keepCurrent, .takeOther, .delete],
            [.takeOther, .takeOther, .takeOther], [.delete, .keepCurrent, .takeOther],
            [.merge(["n": 9]), .delete, .merge([:])],
        ] {
            let id = DocumentID.generate()
            try fixture.save(id, #"{"n":1,"text":"something that is long enough"}"#, in: file)
            for remote in 1...3 {
                let peer = "AAAAAAAAAAAAAAAAAAAA\(["E", "I", "M"][remote - 1])A"
                guard
                    case .conflict = try insert(
                        id, "18e9f0b79eed0000@\(peer)",
                        "{\"n\":\(10 * remote),\"text\":\"something that is long enough\"}",
                        remote: remote)
                else {
                    Issue.record("no conflict")
                    return
                }
            }
            var calls = 0
            _ = try file.write {
                try people.resolveConflicts(of: id, in: $0) { _, _ in
                    calls += 1
                    return answers[(calls - 1) % 3]
                }
            }
            #expect(calls == 3)
            #expect(try history(id).conflicts().isEmpty)
            #expect(try history(id).remotes.count == 3)
            let document = try file.read { try people.get(id, includesDeleted: true, in: $0) }
            #expect(document?.flags.contains(.conflicted) == false)
            try fixture.save(id, #"{"n":2}"#, in: file)
        }
    }

    @Test("a revision that two remotes have is resolved once")
    func twoRemotes() throws {
        for answer in [ConflictResolution.keepCurrent, .takeOther, .delete, .merge(["n": 3])] {
            let id = DocumentID.generate()
            try fixture.save(id, #"{"n":1}"#, in: file)
            for remote in 1...2 {
                _ = try insert(id, "18e9f0b79eed0000@\(ann)", #"{"n":2}"#, remote: remote)
            }
            var calls = 0
            _ = try file.write {
                try people.resolveConflicts(of: id, in: $0) { _, _ in
                    calls += 1
                    return answer
                }
            }
            #expect(calls == 1)
            #expect(try history(id).remotes.count == 2)
            #expect(try history(id).conflicts().isEmpty)
        }
    }

    @Test("an expiration is kept by changes, conflicts, deletion and undeletion")
    func expiration() throws {
        try fixture.save("ada", #"{"n":1}"#, in: file)
        _ = try file.write {
            try people.keyStore.setExpiration(9_000_000_000_000, of: "ada", in: $0)
        }
        try fixture.save("ada", #"{"n":2}"#, in: file)
        _ = try insert("ada", "18e9f0b79eed0000@\(ann)", #"{"n":3}"#)
        _ = try file.write {
            try people.resolveConflicts(of: "ada", in: $0) { _, _ in .keepCurrent }
        }
        _ = try file.write { try people.delete("ada", in: $0) }
        try fixture.save("ada", #"{"n":2}"#, in: file)
        #expect(try file.read { try people.get("ada", in: $0) }?.expiration == 9_000_000_000_000)
    }

    @Test("a body of 24 MB with a string of 16 MB is saved, read, changed and put into a conflict")
    func large() throws {
        let text = String(repeating: "0123456789abcdef", count: 1 << 20)
        try fixture.save("ada", "{\"n\":1,\"text\":\"\(text)\"}", in: file)
        _ = try insert("ada", "18e9f0b79eed0000@\(ann)", "{\"n\":3,\"text\":\"\(text)\"}")
        var copy = try #require(try file.read { try people.get("ada", in: $0) }).mutableCopy()
        copy["n"] = 2
        #expect(try file.write { try people.save(&copy, in: $0) }.saved != nil)
        let other = try #require(try history("ada").conflicts().first)
        #expect(other.properties?["text"]?.string?.utf8.count == 16 << 20)
        #expect(other.properties?["n"]?.int == 3)
    }
}
