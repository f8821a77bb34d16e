import Foundation
import ServerStore
import Synchronization
import Testing

@Suite("A repository for tasks")
struct RepositoryAsyncTests {
    @Test("has the same members")
    func members() async throws {
        let repository = ServerRepository.live(store: try .inMemory()).async
        #expect(try await repository.isEmpty)
        #expect(try await repository.upsert(servers: RepositoryServers.all).added.count == 4)
        #expect(try await repository.upsert(loads: [RepositoryServers.load("a", 1)]).updated == 1)
        let servers = try await repository.servers(
            filteredBy: [.maxTier(0)], orderedBy: .nameAscending)
        #expect(servers.map(\.id) == ["b", "a"])
        #expect(try await repository.getServers(filteredBy: [.maxTier(0)]).count == 2)
        #expect(try await repository.getFirstServer(orderedBy: .fastest)?.logical.tier != nil)
        #expect(try await repository.groups().count == 2)
        #expect(try await repository.getGroups(filteredBy: [.features(.p2p)]).count == 2)
        #expect(try await repository.serverCount() == 4)
        #expect(try await repository.roundedServerCount == 4)
        #expect(try await repository.countryCount() == 2)
        try await repository.setMetadata("1", for: .lastModifiedAll)
        #expect(try await repository.getMetadata(.lastModifiedAll) == "1")
        try await repository.deleteMetadata(.lastModifiedAll)
        #expect(try await repository.getMetadata(.lastModifiedAll) == nil)
        #expect(try await repository.delete(serversWithIDsNotIn: ["a"], maxTier: 0) == ["b"])
        #expect(try await repository.replaceList([RepositoryServers.all[0]]).removed == ["c", "d"])
        try await repository.closeConnection()
        await #expect(throws: ServerStoreError.self) { try await repository.isEmpty }
    }

    @Test("does its work on another thread, in the same task")
    @MainActor
    func threads() async throws {
        let repository = ServerRepository(serverCount: {
            #expect(!Thread.isMainThread)
            return try ServerDependencyValues.current.serverRepository.countryCount()
        })
        let count = try await withServerDependencies {
            $0.serverRepository.countryCount = { 7 }
        } operation: {
            try await repository.async.serverCount()
        }
        #expect(count == 7)
        MainActor.assertIsolated()
    }

    // 100 are more than are let in at a time.
    @Test("does not take Swift's threads, however many calls wait", arguments: [16, 100])
    func blocking(calls: Int) async throws {
        let gate = DispatchSemaphore(value: 0)
        let repository = ServerRepository(serverCount: {
            gate.wait()
            return 1
        })
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<calls { group.addTask { try await repository.async.serverCount() } }
            // Were Swift's threads taken, this task would never come to its turn.
            group.addTask {
                for _ in 0..<calls { gate.signal() }
                return 0
            }
            return try await group.reduce(0, +)
        }
        #expect(sum == calls)
    }

    @Test("a task that was cancelled does not begin")
    func cancelled() async {
        let began = Atomic(false)
        let repository = ServerRepository(serverCount: {
            began.store(true, ordering: .relaxed)
            return 1
        })
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await repository.async.serverCount()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        let hasBegun = began.load(ordering: .relaxed)
        #expect(!hasBegun)
    }

    @Test("a member that is not implemented fails the test")
    func unimplemented() async {
        await withKnownIssue {
            await #expect(throws: UnimplementedMember.self) {
                try await ServerRepository().async.servers()
            }
        } matching: { issue in
            issue.comments.contains { $0.rawValue.hasPrefix("ServerRepository.getServers was") }
        }
    }
}
