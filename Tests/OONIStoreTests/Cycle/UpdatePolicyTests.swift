import DocumentStore
import Testing

import OONIStore

@Suite("What becomes of a descriptor that OONI's server has")
struct UpdatePolicyTests {
    private let store: OONIStore

    /// Revision 3 of link 10004, changed at 100, installed at 50.
    init() throws {
        store = try OONIStore.inMemory()
        try store.install("10004", 3) {
            ($0.dateUpdated, $0.dateInstalled, $0.isAutoUpdated) = (.at(100), .at(50), false)
        }
    }

    private func fetched(_ revision: Int, _ date: Int64?) -> OONIStore.TestDescriptor {
        var descriptor = OONIStore.TestDescriptor(
            runID: "10004", revision: revision, name: "fetched", nettests: [.init(.tor)])
        descriptor.dateUpdated = date.map { .at($0) }
        return descriptor
    }

    private func decide(_ revision: Int, _ date: Int64?) throws -> String {
        let update = try store.read {
            try store.descriptors.update(with: fetched(revision, date), in: $0)
        }
        return switch update {
        case .none: "none"
        case .minor: "minor"
        case .automatic: "automatic"
        case .offered: "offered"
        case .rejected: "rejected"
        }
    }

    @Test("nothing is done with one that was not changed later, or has no date")
    func none() throws {
        #expect(try decide(3, 100) == "none")
        #expect(try decide(4, 100) == "none")
        #expect(try decide(4, 99) == "none")
        #expect(try decide(4, nil) == "none")
        #expect(try decide(2, 200) == "none")
    }

    @Test("the same revision is minor; a newer one is offered, automatic or rejected")
    func kinds() throws {
        #expect(try decide(3, 101) == "minor")
        #expect(try decide(4, 101) == "offered")
        try store.write { try store.descriptors.setRejectedRevision(4, "10004", in: $0) }
        #expect(try decide(4, 101) == "rejected")
        #expect(try decide(5, 101) == "offered")
        #expect(try decide(3, 101) == "minor")
        try store.write { try store.descriptors.setAutoUpdate(true, "10004", in: $0) }
        #expect(try decide(4, 101) == "rejected")
        #expect(try decide(5, 101) == "automatic")
    }

    @Test("a minor update keeps the refusal, when it was installed, and the auto-update")
    func carriedOver() throws {
        try store.write { try store.descriptors.setRejectedRevision(4, "10004", in: $0) }
        let offered = try store.write {
            try store.descriptors.apply([fetched(3, 101), fetched(4, 102)], in: $0)
        }
        #expect(offered == [])
        let now = try #require(try store.read { try store.descriptors.latest("10004", in: $0) })
        #expect(now.revision == 3 && now.name == "fetched" && now.nettests == [.init(.tor)])
        #expect(now.rejectedRevision == 4 && now.dateInstalled == .at(50) && !now.isAutoUpdated)
        #expect(now.dateUpdated == .at(101))
        #expect(try decide(4, 103) == "rejected")
    }

    @Test("what is to be asked comes back and is not saved; saved by hand it is as the old one was")
    func offered() throws {
        let offered = try store.write {
            try store.descriptors.apply([fetched(4, 101)], in: $0)
        }
        #expect(offered.map(\.revision) == [4])
        #expect(try store.read { try store.descriptors.all(in: $0) }.count == 1)
        try store.write { try store.descriptors.save(offered, in: $0) }
        let all = try store.read { try store.descriptors.all(in: $0) }
        #expect(all.map(\.revision) == [3, 4])
        #expect(all.map(\.nettests) == [nil, [.init(.tor)]])
        #expect(all.last?.dateInstalled == .at(50) && all.last?.isAutoUpdated == false)
    }

    @Test("an offer accepted later keeps settings changed in the meantime, if it is not lower")
    func install() throws {
        let offered = try store.write {
            try store.descriptors.apply([fetched(4, 101)], in: $0)
        }
        try store.write {
            try store.descriptors.setAutoUpdate(true, "10004", in: $0)
            try store.descriptors.setRejectedRevision(9, "10004", in: $0)
        }
        let isInstalled = try store.write {
            try store.descriptors.install(offered[0], at: .at(500), in: $0)
        }
        #expect(isInstalled)
        let now = try #require(try store.read { try store.descriptors.latest("10004", in: $0) })
        #expect(now.revision == 4 && now.isAutoUpdated && now.rejectedRevision == 9)
        #expect(now.dateInstalled == .at(50))
        let isLowerInstalled = try store.write {
            try store.descriptors.install(fetched(2, 900), at: .at(900), in: $0)
        }
        #expect(!isLowerInstalled)
        #expect(
            try store.read { try store.descriptors.revisions("10004", in: $0) }.map(\.revision)
                == [3, 4])
    }

    @Test("a link that is installed for the first time has that date")
    func installNew() throws {
        var new = fetched(1, 10)
        new.runID = "10005"
        try store.write { try store.descriptors.install(new, at: .at(700), in: $0) }
        let now = try store.read { try store.descriptors.latest("10005", in: $0) }
        #expect(now?.dateInstalled == .at(700) && now?.isAutoUpdated == true)
    }

    @Test("a change of a link that the store does not have is an error")
    func unknownLink() throws {
        let update = #expect(throws: OONIStoreError.self) {
            try store.write { try store.descriptors.setAutoUpdate(false, "777", in: $0) }
        }
        let refusal = #expect(throws: OONIStoreError.self) {
            try store.write { try store.descriptors.setRejectedRevision(2, "777", in: $0) }
        }
        #expect(update?.code == .unknownDescriptor && refusal?.code == .unknownDescriptor)
    }

    @Test("an automatic update is saved, and the old revision stays without its nettests")
    func automatic() throws {
        try store.write { try store.descriptors.setAutoUpdate(true, "10004", in: $0) }
        let offered = try store.write {
            try store.descriptors.apply([fetched(7, 101)], in: $0)
        }
        #expect(offered == [])
        let all = try store.read { try store.descriptors.all(in: $0) }
        #expect(all.map(\.revision) == [3, 7])
        #expect(all.map { $0.nettests == nil } == [true, false])
        #expect(all.map(\.isAutoUpdated) == [true, true])
    }

    @Test("a link that is not installed is offered as it came")
    func unknown() throws {
        var new = fetched(1, nil)
        new.runID = "10005"
        #expect(try store.write { try store.descriptors.apply([new], in: $0) } == [new])
    }
}
