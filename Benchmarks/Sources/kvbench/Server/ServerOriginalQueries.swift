import Foundation
import GRDB
import ServerStore

// The queries of the original: each is one statement, except for that of the first server, whose
// endpoints are a second one.
extension ServerOriginal {
    /// The source of the rows: an endpoint with its server.
    private static let tables = """
        FROM endpoint e JOIN logical l ON l.id = e.logicalId
        JOIN logicalStatus s ON s.logicalId = l.id
        LEFT JOIN endpointOverrides o ON o.endpointId = e.id
        """

    private static let columns = """
        l.id, l.name, l.domain, l.entryCountryCode, l.exitCountryCode, l.tier, l.feature,
            l.latitude, l.longitude, l.city, l.hostCountry, l.translatedCity, l.gatewayName,
            l.state, s.status, s.load, s.score
        """

    private static func servers(_ filter: String, _ order: String) -> String {
        """
        SELECT \(columns), BIT_OR(coalesce(o.protocolMask, 15))
        \(tables) WHERE \(filter) GROUP BY l.id ORDER BY \(order)
        """
    }

    private static let allByName = servers("TRUE", "l.namePrefix, l.sequenceNumber")
    private static let ofCountry = servers(
        "l.gatewayName IS NULL AND l.exitCountryCode = ? AND l.feature & 1 = 0", "s.load")
    private static let fastest = """
        SELECT \(columns)
        \(tables) WHERE l.gatewayName IS NULL AND l.exitCountryCode = ? AND l.feature & 4 = 4
            AND l.feature & 1 = 0 ORDER BY s.score LIMIT 1
        """
    private static let endpoints = """
        SELECT e.id, e.entryIP, e.exitIP, e.domain, e.status, e.label, e.x25519PublicKey,
            o.protocolEntries
        FROM endpoint e LEFT JOIN endpointOverrides o ON o.endpointId = e.id WHERE e.logicalId = ?
        """
    private static let matching = servers(
        """
        l.exitCountryCode = upper(:text) OR l.entryCountryCode = upper(:text)
        OR l.city LIKE :inside OR l.state LIKE :inside OR l.gatewayName LIKE :inside
        OR l.translatedCity LIKE '%' || :text || '%'
        OR LOCALIZED_COUNTRY_NAME(l.exitCountryCode) LIKE :inside
        OR LOCALIZED_COUNTRY_NAME(l.entryCountryCode) LIKE :inside
        OR l.name LIKE :text || '%'
        """, "l.namePrefix, l.sequenceNumber")
    private static let groups = """
        SELECT l.gatewayName, l.exitCountryCode, BIT_OR(s.status & e.status),
            BIT_AND(l.hostCountry IS NOT NULL AND l.hostCountry <> l.exitCountryCode),
            count(DISTINCT l.id), count(DISTINCT l.city), BIT_OR(l.feature), BIT_AND(l.feature),
            BIT_OR(coalesce(o.protocolMask, 15)), min(l.tier), max(l.tier), l.latitude,
            l.longitude
        \(tables) WHERE l.feature & 1 = 0 GROUP BY l.gatewayName, l.exitCountryCode
        ORDER BY l.gatewayName ASC NULLS LAST, LOCALIZED_COUNTRY_NAME(l.exitCountryCode)
        """

    /// All servers, by name.
    func allByName() throws -> [ServerInfo] { try infos(Self.allByName) }

    /// The servers of a country without secure core, lowest load first.
    func servers(of country: String) throws -> [ServerInfo] {
        try infos(Self.ofCountry, [country])
    }

    /// The servers that match a search text, by name.
    func servers(matching text: String) throws -> [ServerInfo] {
        try infos(
            Self.matching,
            ["text": text, "inside": "%\(ServerFunctions.normalized(text))%"])
    }

    private func infos(
        _ sql: String, _ arguments: StatementArguments = []
    ) throws -> [ServerInfo] {
        try pool.read { database in
            let statement = try database.cachedStatement(sql: sql)
            return try InfoResult.fetchAll(statement, arguments: arguments).map(\.info)
        }
    }

    /// The best server of a country for file sharing, with its endpoints.
    func fastest(of country: String) throws -> VPNServer? {
        try pool.read { database in
            let statement = try database.cachedStatement(sql: Self.fastest)
            guard
                let logical = try LogicalResult.fetchOne(statement, arguments: [country])?.logical
            else { return nil }
            let endpoints = try EndpointResult.fetchAll(
                database.cachedStatement(sql: Self.endpoints), arguments: [logical.id])
            return VPNServer(logical: logical, endpoints: endpoints.map(\.endpoint))
        }
    }

    /// Gateways, then countries, without secure core.
    func groups() throws -> [ServerGroupInfo] {
        let groups = try pool.read { database in
            try GroupResult.fetchAll(database.cachedStatement(sql: Self.groups)).map(\.group)
        }
        return Self.merged(groups)
    }

    /// One group for each gateway, with the fields of the first of its consecutive rows.
    private static func merged(_ groups: [ServerGroupInfo]) -> [ServerGroupInfo] {
        var merged: [ServerGroupInfo] = []
        for var group in groups {
            guard case .gateway = group.kind else {
                merged.append(group)
                continue
            }
            (group.serverCount, group.cityCount) = (1, 1)
            if let last = merged.indices.last, merged[last].kind == group.kind {
                merged[last].serverCount += 1
                merged[last].isUnderMaintenance =
                    merged[last].isUnderMaintenance && group.isUnderMaintenance
            } else {
                merged.append(group)
            }
        }
        return merged
    }
}

// Rows by position, which is GRDB's fastest way.

private struct LogicalResult: FetchableRecord {
    let logical: LogicalServer

    init(row: Row) {
        let feature = ServerFeature(rawValue: row[6])
        let exit: String = row[4]
        logical = LogicalServer(
            id: row[0], name: row[1], domain: row[2], load: row[15], exitCountryCode: exit,
            tier: row[5], score: row[16], status: row[14], feature: feature, city: row[9],
            hostCountry: row[10], translatedCity: row[11], latitude: row[7], longitude: row[8],
            state: row[13],
            kind: LogicalServer.kind(
                feature: feature, entryCountryCode: row[3] ?? exit, gatewayName: row[12]))
    }
}

private struct InfoResult: FetchableRecord {
    let info: ServerInfo

    init(row: Row) {
        info = ServerInfo(
            logical: LogicalResult(row: row).logical,
            protocolSupport: ProtocolSupport(rawValue: row[17]))
    }
}

private struct EndpointResult: FetchableRecord {
    private static let decoder = JSONDecoder()
    let endpoint: ServerEndpoint

    init(row: Row) throws {
        let entries = try (row[7] as String?).map {
            try Self.decoder.decode(ProtocolEntries.self, from: Data($0.utf8))
        }
        endpoint = ServerEndpoint(
            id: row[0], entryIp: row[1], exitIp: row[2], domain: row[3], status: row[4],
            label: row[5], x25519PublicKey: row[6], protocolEntries: entries)
    }
}

private struct GroupResult: FetchableRecord {
    let group: ServerGroupInfo

    init(row: Row) {
        let gateway: String? = row[0]
        group = ServerGroupInfo(
            kind: gateway.map { .gateway(name: $0) } ?? .country(code: row[1]),
            featureIntersection: ServerFeature(rawValue: row[7]),
            featureUnion: ServerFeature(rawValue: row[6]), minTier: row[9], maxTier: row[10],
            serverCount: row[4], cityCount: row[5], latitude: row[11], longitude: row[12],
            supportsSmartRouting: row[3], hasSmartRouting: row[3],
            isUnderMaintenance: row[2] == 0,
            protocolSupport: ProtocolSupport(rawValue: row[8]))
    }
}

/// The SQL functions that the original adds.
enum ServerFunctions {
    static let all = [
        DatabaseFunction(
            "BIT_OR", argumentCount: 1, pure: true, aggregate: BitOr.self),
        DatabaseFunction(
            "BIT_AND", argumentCount: 1, pure: true, aggregate: BitAnd.self),
        DatabaseFunction("LOCALIZED_COUNTRY_NAME", argumentCount: 1, pure: true) { values in
            String.fromDatabaseValue(values[0]).map { names[$0] ?? $0 }
        },
    ]

    /// The names of countries in lower case without diacritics.
    private static let names: [String: String] = {
        let english = Locale(identifier: "en_US")
        var names: [String: String] = [:]
        for region in Locale.Region.isoRegions {
            let code = region.identifier
            names[code == "GB" ? "UK" : code] = normalized(
                english.localizedString(forRegionCode: code) ?? "ZZ")
        }
        return names
    }()

    static func normalized(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
            .replacing("ł", with: "l")
    }
}

private struct BitOr: DatabaseAggregate {
    private var bits: Int64?

    mutating func step(_ values: [DatabaseValue]) {
        guard let value = Int64.fromDatabaseValue(values[0]) else { return }
        bits = (bits ?? 0) | value
    }

    func finalize() -> (any DatabaseValueConvertible)? { bits }
}

private struct BitAnd: DatabaseAggregate {
    private var bits: Int64?

    mutating func step(_ values: [DatabaseValue]) {
        guard let value = Int64.fromDatabaseValue(values[0]) else { return }
        bits = (bits ?? -1) & value
    }

    func finalize() -> (any DatabaseValueConvertible)? { bits }
}
