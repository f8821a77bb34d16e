import ServerStore
import Testing

@Suite("What is known of a list besides its servers")
struct MetadataTests {
    private let store: ServerStore

    init() throws {
        store = try ServerStore.inMemory()
    }

    private func value(_ key: ServerMetadata.Key) throws -> String? {
        try store.read { try store.metadata(key, in: $0) }
    }

    private func put(_ value: String?, _ key: ServerMetadata.Key) throws {
        try store.write { try store.setMetadata(value, for: key, in: $0) }
    }

    @Test(
        "a value is stored, read, replaced and removed, and no other is touched",
        arguments: ServerMetadata.Key.allCases)
    func values(key: ServerMetadata.Key) throws {
        let others = ServerMetadata.Key.allCases.filter { $0 != key }
        for other in others { try put("other", other) }
        #expect(try value(key) == nil)
        for text in ["Mon, 02 Mar 2026 10:00:00 GMT", "7", "", "é \u{1F980}\0 \"end\"\n"] {
            try put(text, key)
            #expect(try value(key) == text)
            #expect(try others.map { try value($0) } == ["other", "other"])
        }
        for _ in 0..<2 {
            try put(nil, key)
            #expect(try value(key) == nil)
        }
        #expect(try others.map { try value($0) } == ["other", "other"])
    }

    @Test("a repository does the same", arguments: ServerMetadata.Key.allCases)
    func repository(key: ServerMetadata.Key) throws {
        let repository = ServerRepository.live(store: store)
        #expect(try repository.getMetadata(key) == nil)
        try repository.setMetadata("one", for: key)
        try repository.setMetadata("two", for: key)
        #expect(try repository.getMetadata(key) == "two" && value(key) == "two")
        try repository.deleteMetadata(key)
        #expect(try repository.getMetadata(key) == nil)
        try repository.setMetadata("three", for: key)
        try repository.setMetadata(nil, for: key)
        #expect(try repository.getMetadata(key) == nil)
    }

    @Test("servers are added and removed without it, unless a list contains it")
    func servers() throws {
        try put("Mon", .lastModifiedAll)
        try put("3", .consecutiveSuccessfulRefreshes)
        try store.replaceList([ServerLists.server("a")])
        try store.write { transaction in
            _ = try store.deleteServers(withIDsNotIn: [], in: transaction)
        }
        #expect(try value(.lastModifiedAll) == "Mon")
        let metadata: [ServerMetadata.Key: String?] = [
            .lastModifiedAll: nil, .lastModifiedFree: "Tue",
        ]
        try store.replaceList([ServerLists.server("a")], metadata: metadata)
        #expect(try value(.lastModifiedAll) == nil && value(.lastModifiedFree) == "Tue")
        #expect(try value(.consecutiveSuccessfulRefreshes) == "3")
    }

    @Test("nothing of it is left of a transaction that fails")
    func failed() throws {
        struct Failed: Error {}
        try put("Mon", .lastModifiedAll)
        #expect(throws: Failed.self) {
            try store.write { transaction in
                try store.setMetadata("Tue", for: .lastModifiedAll, in: transaction)
                try store.setMetadata("Tue", for: .lastModifiedFree, in: transaction)
                throw Failed()
            }
        }
        #expect(try value(.lastModifiedAll) == "Mon" && value(.lastModifiedFree) == nil)
    }
}
