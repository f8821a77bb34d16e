import Foundation
import GRDB
import ServerStore

/// The relational schema of ProtonVPN's server list and its writes, implemented from their
/// specification with GRDB: records, cached statements, a pool on a file in WAL mode.
///
/// Where the specification is open, or the app is slower than necessary, this takes the faster way:
/// it reads outside of writing transactions, compiles each query once, has a cache as large as the
/// store's, keeps statement journals in memory, and does not overwrite deleted data.
final class ServerOriginal {
    let pool: DatabasePool

    init(path: String) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            try database.execute(
                sql: """
                    PRAGMA cache_size = -10240; PRAGMA temp_store = MEMORY;
                    PRAGMA secure_delete = OFF
                    """)
            for function in ServerFunctions.all { database.add(function: function) }
        }
        pool = try DatabasePool(path: path, configuration: configuration)
        try Self.migrator.migrate(pool)
    }

    func close() throws { try pool.close() }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("initial schema") { try $0.execute(sql: schema) }
        return migrator
    }

    private static let schema = """
        CREATE TABLE logical (
            id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, namePrefix TEXT NOT NULL,
            sequenceNumber INTEGER, domain TEXT NOT NULL, entryCountryCode TEXT,
            exitCountryCode TEXT NOT NULL, tier INTEGER NOT NULL, feature INTEGER NOT NULL,
            latitude DOUBLE NOT NULL, longitude DOUBLE NOT NULL, city TEXT, hostCountry TEXT,
            translatedCity TEXT, gatewayName TEXT, state TEXT);
        CREATE INDEX logicalOnName ON logical (namePrefix, sequenceNumber);
        CREATE INDEX logicalOnKind ON logical (gatewayName, exitCountryCode);
        CREATE TABLE endpoint (
            id TEXT PRIMARY KEY NOT NULL, entryIP TEXT, exitIP TEXT NOT NULL,
            domain TEXT NOT NULL, status INTEGER NOT NULL, label TEXT, x25519PublicKey TEXT,
            protocolEntries TEXT,
            logicalId TEXT NOT NULL REFERENCES logical (id) ON DELETE CASCADE);
        CREATE INDEX endpointOnLogicalId ON endpoint (logicalId);
        CREATE TABLE logicalStatus (
            score DOUBLE NOT NULL, status INTEGER NOT NULL, load INTEGER NOT NULL,
            logicalId TEXT NOT NULL UNIQUE REFERENCES logical (id) ON DELETE CASCADE);
        CREATE INDEX logicalStatusOnStatus ON logicalStatus (status, score, load);
        CREATE TABLE endpointOverrides (
            protocolMask INTEGER NOT NULL, protocolEntries TEXT,
            endpointId TEXT NOT NULL UNIQUE REFERENCES endpoint (id) ON DELETE CASCADE);
        CREATE TABLE databaseMetadata (
            key TEXT PRIMARY KEY ON CONFLICT REPLACE NOT NULL, value TEXT NOT NULL);
        """
}

// Writing.
extension ServerOriginal {
    /// Writes servers, replacing those with the same ids; returns their number.
    func upsert(_ servers: [VPNServer]) throws -> Int {
        try pool.write { database in
            for server in servers { try Self.upsert(server, database) }
        }
        return servers.count
    }

    /// Replaces the row, so that rows that refer to it are removed, too.
    private static func upsert(_ server: VPNServer, _ database: Database) throws {
        let logical = server.logical
        try LogicalRecord(logical: logical).insert(database, onConflict: .replace)
        let isDown = server.endpoints.allSatisfy(\.isUnderMaintenance)
        try StatusRecord(
            properties: ContinuousServerProperties(
                serverId: logical.id, load: logical.load, score: logical.score,
                status: isDown ? 0 : logical.status)
        ).insert(database, onConflict: .replace)
        for endpoint in server.endpoints {
            try EndpointRecord(endpoint: endpoint, logicalID: logical.id)
                .insert(database, onConflict: .replace)
            guard let mask = endpoint.protocolMask, let entries = endpoint.protocolEntries else {
                continue
            }
            try OverridesRecord(mask: mask, entries: entries, endpointID: endpoint.id)
                .insert(database, onConflict: .replace)
        }
    }

    /// Writes loads; returns the number of changed servers. A server under maintenance stays so.
    func upsert(_ loads: [ContinuousServerProperties]) throws -> Int {
        try pool.write { database in
            let statuses = try Self.statuses(database)
            var count = 0
            for load in loads where Self.isWritten(load, over: statuses[load.serverId]) {
                try StatusRecord(properties: load).insert(database, onConflict: .replace)
                count += 1
            }
            return count
        }
    }

    /// The status of each server by its id.
    static func statuses(_ database: Database) throws -> [String: Int] {
        var statuses: [String: Int] = [:]
        let rows = try Row.fetchCursor(
            database.cachedStatement(sql: "SELECT logicalId, status FROM logicalStatus"))
        while let row = try rows.next() { statuses[row[0]] = row[1] }
        return statuses
    }

    static func isWritten(_ load: ContinuousServerProperties, over status: Int?) -> Bool {
        guard let status else { return false }
        return status != 0 || load.status == 0
    }

    private static let encoder = JSONEncoder()

    static func json(_ entries: ProtocolEntries) throws -> String {
        String(decoding: try encoder.encode(entries), as: UTF8.self)
    }
}

private struct LogicalRecord: PersistableRecord {
    static let databaseTableName = "logical"
    let logical: LogicalServer

    func encode(to container: inout PersistenceContainer) {
        let name = logical.serverName
        container["id"] = logical.id
        container["name"] = logical.name
        container["namePrefix"] = name.prefix
        container["sequenceNumber"] = name.sequence
        container["domain"] = logical.domain
        if case .secureCore(let entry) = logical.kind { container["entryCountryCode"] = entry }
        container["exitCountryCode"] = logical.exitCountryCode
        container["tier"] = logical.tier
        container["feature"] = logical.feature.rawValue
        container["latitude"] = logical.latitude
        container["longitude"] = logical.longitude
        container["city"] = logical.city
        container["hostCountry"] = logical.hostCountry
        container["translatedCity"] = logical.translatedCity
        container["gatewayName"] = logical.gatewayName
        container["state"] = logical.state
    }
}

private struct StatusRecord: PersistableRecord {
    static let databaseTableName = "logicalStatus"
    let properties: ContinuousServerProperties

    func encode(to container: inout PersistenceContainer) {
        container["score"] = properties.score
        container["status"] = properties.status
        container["load"] = properties.load
        container["logicalId"] = properties.serverId
    }
}

private struct EndpointRecord: PersistableRecord {
    static let databaseTableName = "endpoint"
    let endpoint: ServerEndpoint
    let logicalID: String

    func encode(to container: inout PersistenceContainer) {
        container["id"] = endpoint.id
        container["entryIP"] = endpoint.entryIp
        container["exitIP"] = endpoint.exitIp
        container["domain"] = endpoint.domain
        container["status"] = endpoint.status
        container["label"] = endpoint.label
        container["x25519PublicKey"] = endpoint.x25519PublicKey
        container["logicalId"] = logicalID
    }
}

private struct OverridesRecord: PersistableRecord {
    static let databaseTableName = "endpointOverrides"
    let mask: ProtocolSupport
    let entries: ProtocolEntries
    let endpointID: String

    func encode(to container: inout PersistenceContainer) throws {
        container["protocolMask"] = mask.rawValue
        container["protocolEntries"] = try ServerOriginal.json(entries)
        container["endpointId"] = endpointID
    }
}
