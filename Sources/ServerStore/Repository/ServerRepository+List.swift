extension ServerRepository {
    /// A repository of some servers, which answers from memory. It cannot be changed: members that
    /// would, and metadata, fail the test as those do that are not implemented.
    public init(
        servers: [VPNServer], names: CountryNames = .current,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
        column: Int = #column
    ) {
        self.init(
            closeConnection: {}, fileID: fileID, filePath: filePath, line: line, column: column)
        let list = ServerList(servers, names: names)
        answer { list }
    }

    /// Makes all members that read answer from a list, which each call asks for.
    mutating func answer(from list: @escaping @Sendable () throws -> ServerList) {
        getServers = { try list().servers(filteredBy: $0, orderedBy: $1) }
        getFirstServer = { try list().firstServer(filteredBy: $0, orderedBy: $1) }
        getGroups = { try list().groups(filteredBy: $0, groupedBy: $1, orderedBy: $2) }
        searchServers = { try list().search($0, limit: $1) }
        selectServer = { try list().select($0) }
        serverCount = { try list().serverCount }
        countryCount = { try list().countryCount }
    }
}
