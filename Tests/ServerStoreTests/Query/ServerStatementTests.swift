import DocumentStore
import SQLCore
import ServerStore
import Testing

@Suite("The statements of a query")
struct ServerStatementTests {
    private func store() throws -> ServerStore {
        let store = try ServerStore.inMemory()
        try store.write {
            try store.replaceList((0..<9).map { ServerLists.server("s\($0)") }, in: $0)
        }
        return store
    }

    private static let questions: [@Sendable (ServerStore, Snapshot) throws -> Int] = [
        { try $0.servers(filteredBy: [.maxTier(0)], in: $1).count },
        { try $0.servers(filteredBy: [.supports(.ikev2)], orderedBy: .fastest, in: $1).count },
        { try $0.groups(filteredBy: [.features(.standard)], in: $1).count },
        { try $0.groups(groupedBy: .cityName, in: $1).count },
        { try $0.firstServer(orderedBy: .nameAscending, in: $1) == nil ? 0 : 1 },
    ]

    private func statements(
        of store: ServerStore, _ question: (ServerStore, Snapshot) throws -> Int
    ) throws -> [String] {
        var statements: [String] = []
        try store.read { snapshot in
            let hook = try snapshot.connection().context.trace { statements.append($0) }
            #expect(try question(store, snapshot) > 0)
            hook?.remove()
        }
        #expect(statements.allSatisfy { $0.hasPrefix("SELECT") }, "\(statements)")
        return statements
    }

    @Test("a list, an overview of groups and the first server read servers and loads once")
    func two() throws {
        let store = try store()
        // The first time the connection looks at the schema.
        let list: ServerList = try store.currentList()
        #expect(list.serverCount == 9)
        for question in Self.questions {
            // A store that has read nothing yet.
            let other = store.with(names: store.names)
            #expect(try statements(of: other, question).count == 2)
        }
    }

    @Test("once the list is cached, queries do not need a statement")
    func none() throws {
        let store = try store()
        let list: ServerList = try store.currentList()
        #expect(list.serverCount == 9)
        for question in Self.questions {
            #expect(try statements(of: store, question) == [])
        }
    }

    @Test("a count is one statement")
    func one() throws {
        let store = try store()
        let counts: [@Sendable (ServerStore, Snapshot) throws -> Int] = [
            { try $0.serverCount(in: $1) }, { try $0.countryCount(in: $1) },
        ]
        for count in counts {
            // The first time it is translated, which looks at the schema.
            #expect(try store.read { try count(store, $0) } > 0)
            #expect(try statements(of: store, count).count == 1)
        }
    }
}
