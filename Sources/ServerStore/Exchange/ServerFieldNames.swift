/// What the fields of a server are called.
struct ServerFieldNames {
    let id, name, domain, load, tier, score, status, feature: String
    let exitCountry, entryCountry, gatewayName, kind: String
    let city, state, hostCountry, translatedCity, latitude, longitude: String
    /// The objects that the city and the degrees stand in; nil where the server itself is it.
    let translations, location: String?
    /// The array of endpoints, and the fields of one.
    let endpoints, endpointID, entryIP, exitIP, endpointDomain, endpointStatus: String
    let label, publicKey, protocolEntries: String
    /// Those of a protocol's entry.
    let ipv4 = "IPv4"
    let ports = "Ports"
}

extension ServerFieldNames {
    /// As the API writes servers.
    static let api = Self(
        id: "ID", name: "Name", domain: "Domain", load: "Load", tier: "Tier", score: "Score",
        status: "Status", feature: "Features", exitCountry: "ExitCountry",
        entryCountry: "EntryCountry", gatewayName: "GatewayName", kind: "Kind", city: "City",
        state: "State", hostCountry: "HostCountry", translatedCity: "City", latitude: "Lat",
        longitude: "Long", translations: "Translations", location: "Location",
        endpoints: "Servers", endpointID: "ID", entryIP: "EntryIP", exitIP: "ExitIP",
        endpointDomain: "Domain", endpointStatus: "Status", label: "Label",
        publicKey: "X25519PublicKey", protocolEntries: "EntryPerProtocol")

    /// As `VPNServer` is coded. An entry's country and a gateway's name stand in the kind alone.
    static let model = Self(
        id: "id", name: "name", domain: "domain", load: "load", tier: "tier", score: "score",
        status: "status", feature: "feature", exitCountry: "exitCountryCode",
        entryCountry: "entryCountryCode", gatewayName: "gatewayName", kind: "kind", city: "city",
        state: "state", hostCountry: "hostCountry", translatedCity: "translatedCity",
        latitude: "latitude", longitude: "longitude", translations: nil, location: nil,
        endpoints: "endpoints", endpointID: "id", entryIP: "entryIp", exitIP: "exitIp",
        endpointDomain: "domain", endpointStatus: "status", label: "label",
        publicKey: "x25519PublicKey", protocolEntries: "protocolEntries")

    /// Where `model` has the server itself.
    static let logical = "logical"
}

/// What a kind is called in JSON, as `LogicalServer.Kind` is coded: an object of one such field.
enum ServerKindNames {
    static let country = "country"
    static let secureCore = "secureCore"
    static let entryCountry = "entryCountryCode"
    static let gateway = "gateway"
    static let gatewayName = "name"
}
