import DocumentStore
import Synchronization
import Testing

import OONIStore

@Suite("Looking for newer descriptors")
struct DescriptorRefreshTests {
    private struct Offline: Error {}

    private func descriptor(
        _ runID: String, _ revision: Int, updated: Int64, _ name: String = "name"
    ) -> OONIStore.TestDescriptor {
        var descriptor = OONIStore.TestDescriptor(runID: runID, revision: revision, name: name)
        descriptor.dateUpdated = .init(milliseconds: updated)
        return descriptor
    }

    @Test("saves updates that need no consent, offers the rest, and reports failures")
    func refresh() async throws {
        let store = try OONIStore.inMemory()
        try await store.write { transaction in
            let cards = OONIStore.DefaultCard.allCases.map { descriptor($0.runID, 1, updated: 1) }
            let links = (1...9).map { descriptor("1000\($0)", 1, updated: 1) }
            try store.descriptors.save(cards + links, in: transaction)
            for link in ["10003", "10004"] {
                try store.descriptors.setAutoUpdate(false, link, in: transaction)
            }
            try store.descriptors.setRejectedRevision(2, "10004", in: transaction)
        }
        let server: [String: OONIStore.TestDescriptor] = [
            "10001": descriptor("10001", 1, updated: 2, "minor"),
            "10002": descriptor("10002", 2, updated: 2, "automatic"),
            "10003": descriptor("10003", 2, updated: 2, "offered"),
            "10004": descriptor("10004", 2, updated: 2, "refused"),
            "10005": descriptor("10005", 2, updated: 1, "not newer"),
        ]
        let asked = Mutex<(now: Int, most: Int, links: Set<String>)>((0, 0, []))
        let refresh = try await store.refreshDescriptors { runID in
            asked.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
                $0.links.insert(runID)
            }
            defer { asked.withLock { $0.now -= 1 } }
            await Task.yield()
            guard let descriptor = server[runID] else { throw Offline() }
            return descriptor
        }
        #expect(refresh.saved == [.init("10001", revision: 1), .init("10002", revision: 2)])
        #expect(refresh.offered.map(\.key) == [.init("10003", revision: 2)])
        #expect(refresh.rejected == [.init("10004", revision: 2)])
        #expect(refresh.failures.keys.sorted() == ["10006", "10007", "10008", "10009"])
        let (most, links) = asked.withLock { ($0.most, $0.links) }
        #expect(most <= 4 && links.count == 9)
        try await store.read { snapshot in
            let descriptors = store.descriptors
            let latest = try ["10001", "10002", "10003", "10004"].map {
                try descriptors.latest($0, in: snapshot)
            }
            #expect(latest.map { $0?.revision } == [1, 2, 1, 1])
            #expect(latest.map { $0?.name } == ["minor", "automatic", "name", "name"])
            #expect(latest[3]?.rejectedRevision == 2)
            let revisions = try descriptors.revisions("10002", in: snapshot)
            #expect(revisions.map { $0.nettests == nil } == [true, false])
        }
    }

    @Test("asks for another try while nothing at all can be fetched, three times at most")
    func retries() async throws {
        let store = try OONIStore.inMemory()
        let installed = (1...2).map { descriptor("1000\($0)", 1, updated: 1) }
        try await store.write { try store.descriptors.save(installed, in: $0) }
        let newer = descriptor("10001", 2, updated: 2)
        // How many tries fail, how often it is asked, and what is saved then.
        for (bad, isWilling, asked, saved) in [
            (0, true, 0, 1), (2, true, 2, 1), (9, true, 3, 0), (9, false, 1, 0),
        ] {
            let tries = Mutex(0)
            let asks = Mutex(0)
            try await store.write { _ = try store.descriptors.delete("10001", in: $0) }
            try await store.write { try store.descriptors.save([installed[0]], in: $0) }
            let refresh = try await store.refreshDescriptors(
                retry: { failures in
                    #expect(failures.keys.sorted() == ["10001", "10002"])
                    asks.withLock { $0 += 1 }
                    return isWilling
                },
                fetch: { link in
                    // The other link is never there, which is no reason to try again.
                    guard link == "10001" else { throw Offline() }
                    let number = tries.withLock {
                        $0 += 1
                        return $0
                    }
                    guard number > bad else { throw Offline() }
                    return newer
                })
            #expect(asks.withLock { $0 } == asked)
            #expect(refresh.saved.count == saved)
            #expect(refresh.failures.count == 2 - saved)
        }
    }
}
