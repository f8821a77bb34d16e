// Converts between servers and records without loss.
extension LogicalRecord {
    init(_ server: VPNServer) {
        let logical = server.logical
        id = logical.id
        name = logical.name
        domain = logical.domain
        exitCountryCode = logical.exitCountryCode
        entryCountryCode = logical.entryCountryCode
        kind =
            switch logical.kind {
            case .country: .country
            case .secureCore: .secureCore
            case .gateway: .gateway
            }
        tier = logical.tier
        feature = logical.feature.rawValue
        gatewayName = logical.gatewayName
        city = logical.city
        translatedCity = logical.translatedCity
        state = logical.state
        hostCountry = logical.hostCountry
        latitude = logical.latitude
        longitude = logical.longitude
        endpoints = server.endpoints.map { EndpointRecord($0) }
    }

    /// The server, with the properties of its load.
    func server(_ status: StatusRecord) -> VPNServer {
        let kind: LogicalServer.Kind =
            switch kind {
            case .country: .country
            case .secureCore: .secureCore(entryCountryCode: entryCountryCode)
            case .gateway: .gateway(name: gatewayName ?? "")
            }
        let logical = LogicalServer(
            id: id, name: name, domain: domain, load: status.load,
            exitCountryCode: exitCountryCode, tier: tier, score: status.score,
            status: status.status, feature: ServerFeature(rawValue: feature), city: city,
            hostCountry: hostCountry, translatedCity: translatedCity, latitude: latitude,
            longitude: longitude, state: state, kind: kind)
        return VPNServer(logical: logical, endpoints: endpoints.map { ServerEndpoint($0) })
    }
}

extension StatusRecord {
    init(_ logical: LogicalServer) {
        self.init(status: logical.status, load: logical.load, score: logical.score)
    }
}

extension EndpointRecord {
    init(_ endpoint: ServerEndpoint) {
        id = endpoint.id
        entryIp = endpoint.entryIp
        exitIp = endpoint.exitIp
        domain = endpoint.domain
        status = endpoint.status
        label = endpoint.label
        x25519PublicKey = endpoint.x25519PublicKey
        overrideInfo = endpoint.protocolEntries.map {
            OverrideRecord(
                protocolMask: endpoint.supportedProtocols.rawValue, protocolEntries: $0)
        }
    }
}

extension ServerEndpoint {
    init(_ record: EndpointRecord) {
        self.init(
            id: record.id, entryIp: record.entryIp, exitIp: record.exitIp, domain: record.domain,
            status: record.status, label: record.label, x25519PublicKey: record.x25519PublicKey,
            protocolEntries: record.overrideInfo?.protocolEntries)
    }
}
