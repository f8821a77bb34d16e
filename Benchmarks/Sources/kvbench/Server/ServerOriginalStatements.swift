import GRDB
import ServerStore

// The same writes without records, unlike the app: the remaining cost is that of the schema, and
// not of GRDB.
extension ServerOriginal {
    /// `upsert`, with one statement for each table.
    func upsertByStatements(_ servers: [VPNServer]) throws -> Int {
        try pool.write { database in
            let logicals = try Self.replacement("logical", 16, database)
            let statuses = try Self.replacement("logicalStatus", 4, database)
            let endpoints = try Self.replacement("endpoint", 9, database)
            let overrides = try Self.replacement("endpointOverrides", 3, database)
            for server in servers {
                let logical = server.logical
                try logicals.execute(arguments: Self.arguments(logical))
                let isDown = server.endpoints.allSatisfy(\.isUnderMaintenance)
                try statuses.execute(arguments: [
                    logical.score, isDown ? 0 : logical.status, logical.load, logical.id,
                ])
                for endpoint in server.endpoints {
                    try endpoints.execute(arguments: [
                        endpoint.id, endpoint.entryIp, endpoint.exitIp, endpoint.domain,
                        endpoint.status, endpoint.label, endpoint.x25519PublicKey, nil, logical.id,
                    ])
                    guard let mask = endpoint.protocolMask, let entries = endpoint.protocolEntries
                    else { continue }
                    try overrides.execute(arguments: [
                        mask.rawValue, try Self.json(entries), endpoint.id,
                    ])
                }
            }
        }
        return servers.count
    }

    private static func replacement(
        _ table: String, _ columns: Int, _ database: Database
    ) throws -> Statement {
        let values = Array(repeating: "?", count: columns).joined(separator: ", ")
        return try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO \(table) VALUES (\(values))")
    }

    private static func arguments(_ logical: LogicalServer) -> StatementArguments {
        let name = logical.serverName
        var entry: String?
        if case .secureCore(let code) = logical.kind { entry = code }
        return [
            logical.id, logical.name, name.prefix, name.sequence, logical.domain, entry,
            logical.exitCountryCode, logical.tier, logical.feature.rawValue, logical.latitude,
            logical.longitude, logical.city, logical.hostCountry, logical.translatedCity,
            logical.gatewayName, logical.state,
        ]
    }

    /// `upsert` of loads, with one statement.
    func upsertByStatements(_ loads: [ContinuousServerProperties]) throws -> Int {
        try pool.write { database in
            let statuses = try Self.statuses(database)
            let replacement = try Self.replacement("logicalStatus", 4, database)
            var count = 0
            for load in loads where Self.isWritten(load, over: statuses[load.serverId]) {
                try replacement.execute(arguments: [
                    load.score, load.status, load.load, load.serverId,
                ])
                count += 1
            }
            return count
        }
    }
}
