import DocumentStore
import SQLCore
import ServerStore
import Testing

@Suite("The statements of a question")
struct ServerStatementTests {
    @Test("a list, an overview of groups and the first server are one statement each")
    func one() throws {
        let store = try ServerStore.inMemory()
        try store.write {
            try store.replaceList((0..<9).map { ServerLists.server("s\($0)") }, in: $0)
        }
        let questions: [@Sendable (Snapshot) throws -> Int] = [
            { try store.servers(filteredBy: [.maxTier(0)], in: $0).count },
            {
                try store.servers(filteredBy: [.supports(.ikev2)], orderedBy: .fastest, in: $0)
                    .count
            },
            { try store.groups(filteredBy: [.features(.standard)], in: $0).count },
            { try store.groups(groupedBy: .cityName, in: $0).count },
            { try store.firstServer(orderedBy: .nameAscending, in: $0) == nil ? 0 : 1 },
            { try store.serverCount(in: $0) }, { try store.countryCount(in: $0) },
        ]
        for question in questions {
            // The first time it is translated, which looks at the schema.
            #expect(try store.read(question) > 0)
            var statements: [String] = []
            try store.read { snapshot in
                let hook = try snapshot.session().context.trace { statements.append($0) }
                _ = try question(snapshot)
                hook?.remove()
            }
            #expect(statements.count == 1, "\(statements)")
            #expect(statements.first?.hasPrefix("SELECT") == true)
        }
    }
}
