import DocumentStore
import SampleData
import StoreTestSupport
import Testing

import OONIStore

@Suite("Descriptors")
struct DescriptorTests {
    private let store: OONIStore

    init() throws {
        store = try OONIStore.inMemory()
    }

    private func get(_ link: String, _ revision: Int) throws -> OONIStore.TestDescriptor? {
        try store.read { try store.descriptors.get(.init(link, revision: revision), in: $0) }
    }

    private func numbers(_ descriptors: [OONIStore.TestDescriptor]) -> [String] {
        descriptors.map { "\($0.runID)/\($0.revision)" }
    }

    @Test("a descriptor is read as it was written")
    func roundTrip() throws {
        let made = try store.install("10004", 3) {
            $0.nettests = [
                .init(.webConnectivity, inputs: ["https://a.example/"]),
                .init(.init(rawValue: "new"), otherJSON: #"{"targets_name":"x"}"#),
            ]
            ($0.shortDescription, $0.description, $0.author) = ("short", "long", "me")
            $0.nameByLanguage = ["pt_BR": "Nome", "de": "Name"]
            ($0.icon, $0.color, $0.animation) = ("FaShield", "#123456", "a.json")
            ($0.expirationDate, $0.dateCreated) = (.at(.max), .at(.min))
            ($0.dateUpdated, $0.dateInstalled) = (.at(1), .at(2))
            ($0.isAutoUpdated, $0.rejectedRevision) = (false, 4)
        }
        #expect(try get("10004", 3) == made)
        #expect(made.name(in: "pt-BR") == "Nome" && made.name(in: "de-AT") == "Name")
        #expect(made.name(in: "fr") == "10004 in 3")
    }

    @Test("insertion leaves what is there; of two of the same revision the first counts")
    func insert() throws {
        try store.install("10004", 1) { $0.name = "old" }
        let new = [(1, "new"), (2, "first"), (2, "second")].map { revision, name in
            OONIStore.TestDescriptor(runID: "10004", revision: revision, name: name)
        }
        let added = try store.write { try store.descriptors.insert(new, in: $0) }
        #expect(added == [.init("10004", revision: 2)])
        #expect(try get("10004", 1)?.name == "old" && get("10004", 2)?.name == "first")
    }

    @Test("all revisions are listed by link; the latest is the highest, also with the same date")
    func lists() throws {
        for (link, revision) in [("10", 2), ("100", 1), ("10", 10), ("10", 9), ("00104", 1)] {
            try store.install(link, revision) { $0.dateUpdated = .at(5) }
        }
        try store.read { snapshot in
            let descriptors = store.descriptors
            let all = try descriptors.all(in: snapshot)
            #expect(numbers(all) == ["00104/1", "10/2", "10/9", "10/10", "100/1"])
            let latest = try descriptors.allLatest(in: snapshot)
            #expect(numbers(latest) == ["00104/1", "10/10", "100/1"])
            let revisions = try descriptors.revisions("10", in: snapshot)
            #expect(numbers(revisions) == ["10/2", "10/9", "10/10"])
            let (known, unknown) = (
                try descriptors.latest("10", in: snapshot),
                try descriptors.latest("1", in: snapshot)
            )
            #expect(known?.revision == 10 && unknown == nil)
        }
    }

    @Test("a screen has links before cards, expired ones last, the one installed last first")
    func sorted() throws {
        let dates: [(String, Int64?, Int64?)] = [
            ("00104", nil, 99), ("1", nil, 5), ("2", nil, 7), ("3", 10, 99), ("4", nil, nil),
            ("5", 50, 7), ("6", nil, .min), ("7", nil, .max),
        ]
        for (link, expiration, installed) in dates {
            try store.install(link, 1) {
                $0.expirationDate = expiration.map { .at($0) }
                $0.dateInstalled = installed.map { .at($0) }
            }
        }
        let sorted = try store.read { try store.descriptors.sorted(at: .at(50), in: $0) }
        #expect(sorted.map(\.runID) == ["7", "2", "5", "1", "4", "6", "3", "00104"])
    }

    @Test("a descriptor without a number, or that no document can have, is refused")
    func refused() throws {
        let wrong = [
            ("", 1), ("a/b", 1), ("_a", 1), ("_\u{301}a", 1), ("a b", 1), ("a\n", 1),
            (String(repeating: "1", count: 101), 1), ("1", -1), ("1", 1_000_000_000_000),
        ]
        for (link, revision) in wrong {
            #expect("\(link) \(revision)") {
                try store.install(link, revision)
            } throws: {
                ($0 as? OONIStoreError)?.code == .invalidDescriptor
            }
        }
    }

    @Test("descriptors of which one is refused are all refused, also where the error is caught")
    func refusedTogether() throws {
        try store.install("10004", 1)
        let new = [("10004", 2), ("", 1)].map {
            OONIStore.TestDescriptor(runID: $0, revision: $1, name: "n")
        }
        _ = try store.write { transaction in
            #expect(throws: OONIStoreError.self) {
                try store.descriptors.save(new, in: transaction)
            }
        }
        #expect(try get("10004", 2) == nil)
        #expect(try get("10004", 1)?.nettests == [.init(.signal)])
        #expect(try store.read { try store.verify(in: $0) } == [])
    }

    @Test("websites of a test are registered, and nothing that is known of them is lost")
    func websites() throws {
        let known = OONIStore.Url("https://a.example/", category: .news, countryCode: "IT")
        try store.write { _ = try store.urls.register(known, in: $0) }
        try store.install("10004", 1) {
            $0.nettests = [
                .init(.webConnectivity, inputs: ["https://a.example/", "https://b.example/"]),
                .init(.tor, inputs: ["no website"]),
            ]
        }
        let urls = try store.read { try store.urls.all(in: $0) }
        #expect(urls == [known, .init("https://b.example/")])
    }

    @Test("auto-update is of all revisions, a refusal of the highest; nil takes it back")
    func settings() throws {
        for revision in 1...3 { try store.install("10004", revision) }
        try store.install("10005", 1)
        try store.write {
            try store.descriptors.setAutoUpdate(false, "10004", in: $0)
            try store.descriptors.setRejectedRevision(4, "10004", in: $0)
        }
        let all = try store.read { try store.descriptors.all(in: $0) }
        #expect(all.map(\.isAutoUpdated) == [false, false, false, true])
        #expect(all.map(\.rejectedRevision) == [nil, nil, 4, nil])
        try store.write { try store.descriptors.setRejectedRevision(nil, "10004", in: $0) }
        #expect(try get("10004", 3)?.rejectedRevision == nil)
        #expect {
            try store.write { try store.descriptors.setRejectedRevision(4, "9", in: $0) }
        } throws: {
            ($0 as? OONIStoreError)?.code == .unknownDescriptor
        }
    }

    @Test("a result is shown with its revision; an unknown one with a placeholder")
    func shown() throws {
        let (old, new) = (try store.install("10004", 1), try store.install("10004", 2))
        let card = try store.install("00104", 5)
        let results = [
            try store.begin(nil, key: old.key), try store.begin(nil, key: new.key),
            try store.begin("websites"), try store.begin("performance"),
        ]
        let shown = try store.read { snapshot in
            try results.map { try store.descriptors.descriptor(of: $0, in: snapshot) }
        }
        var kept = old
        kept.nettests = nil
        #expect(
            shown == [
                .known(kept), .known(new), .known(card), .placeholder(.init(name: "performance")),
            ])
    }

    @Test("numbers of earlier revisions count down to 1, of any number there is")
    func previous() {
        func of(_ revision: Int) -> OONIStore.TestDescriptor {
            .init(runID: "1", revision: revision, name: "n")
        }
        #expect(Array(of(4).previousRevisions) == [3, 2, 1])
        #expect(of(1).previousRevisions.isEmpty && of(0).previousRevisions.isEmpty)
        #expect(of(.min).previousRevisions.isEmpty)
        #expect(of(999_999_999_999).previousRevisions.count == 999_999_999_998)
        var listed = of(7)
        listed.revisions = [9, 2, 7, 5, 2]
        #expect(Array(listed.previousRevisions) == [5, 2])
    }

    @Test("whatever is written in which order, only the highest revision has nettests")
    func property() throws {
        let seed = UInt64(TestEnvironment.number("STORE_SEED", or: 1))
        print("DescriptorTests: STORE_SEED=\(seed)")
        var generator = SeededGenerator(seed: seed)
        for round in 0..<40 {
            let store = try OONIStore.inMemory()
            for _ in 0..<1 + generator.below(8) {
                let some = (0..<1 + generator.below(3)).map { _ in
                    OONIStore.TestDescriptor(
                        runID: generator.pick(["1", "10"]), revision: generator.below(12),
                        name: "n", nettests: [.init(.signal)])
                }
                if generator.below(2) == 0 {
                    try store.write { try store.descriptors.save(some, in: $0) }
                } else {
                    _ = try store.write { try store.descriptors.insert(some, in: $0) }
                }
                let all = try store.read { try store.descriptors.all(in: $0) }
                for one in all {
                    let isHighest = !all.contains {
                        $0.runID == one.runID && $0.revision > one.revision
                    }
                    #expect((one.nettests != nil) == isHighest, "round \(round), \(one.key)")
                }
            }
        }
    }
}
