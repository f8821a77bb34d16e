internal import DocumentStore

extension ServerReader {
    /// Reads a server's required fields.
    mutating func logical(
        _ id: String, _ object: ResponseObject, _ names: ServerFieldNames
    ) throws(Wrong) -> LogicalServer {
        let features = try object.required(names.feature, object.natural)
        return LogicalServer(
            id: id, name: try object.required(names.name, object.word),
            domain: try object.required(names.domain, object.text),
            load: try load(object, names),
            exitCountryCode: try object.required(names.exitCountry, object.word),
            tier: try object.required(names.tier, object.natural),
            score: try object.required(names.score, object.number),
            status: try object.required(names.status, object.whole),
            feature: ServerFeature(rawValue: features),
            kind: try kind(ServerFeature(rawValue: features), object, names))
    }

    /// Reads a load. A load is a hint: one out of range does not invalidate the server.
    mutating func load(
        _ object: ResponseObject, _ names: ServerFieldNames
    ) throws(Wrong) -> Int {
        let number = try object.required(names.load, object.number)
        let load = Int(min(max(number.rounded(), 0), 100))
        if Double(load) != number {
            let wrong = object.wrong(names.load, "is \(number), not a whole number of 0 to 100")
            note(wrong, "\(load) is used")
        }
        return load
    }

    /// Reads the optional fields.
    mutating func addRest(
        to logical: inout LogicalServer, _ object: ResponseObject, _ names: ServerFieldNames
    ) {
        logical.city = optional { () throws(Wrong) in try object.text(names.city) }
        logical.state = optional { () throws(Wrong) in try object.text(names.state) }
        logical.hostCountry = optional { () throws(Wrong) in try object.text(names.hostCountry) }
        let translations = part(names.translations, of: object)
        logical.translatedCity = optional { () throws(Wrong) in
            try translations?.text(names.translatedCity)
        }
        let location = part(names.location, of: object)
        let latitude = optional { () throws(Wrong) in
            try location?.degrees(names.latitude, atMost: 90)
        }
        let longitude = optional { () throws(Wrong) in
            try location?.degrees(names.longitude, atMost: 180)
        }
        (logical.latitude, logical.longitude) = (latitude ?? 0, longitude ?? 0)
    }

    /// The object that contains fields: the server itself if the object has no name.
    private mutating func part(_ name: String?, of object: ResponseObject) -> ResponseObject? {
        guard let name else { return object }
        return optional { () throws(Wrong) in try object.object(name) }
    }
}

// The kind of a server.
extension ServerReader {
    private mutating func kind(
        _ feature: ServerFeature, _ object: ResponseObject, _ names: ServerFieldNames
    ) throws(Wrong) -> LogicalServer.Kind {
        if let kind = optional({ () throws(Wrong) in try Self.kind(object, names) }) {
            return kind
        }
        // Other kinds do not have an entry country.
        let entry =
            feature.contains(.secureCore)
            ? try object.required(names.entryCountry, object.word) : ""
        let gateway = optional { () throws(Wrong) in try object.text(names.gatewayName) }
        return LogicalServer.kind(feature: feature, entryCountryCode: entry, gatewayName: gateway)
    }

    /// The kind in its `Codable` format, an object with one field.
    private static func kind(
        _ object: ResponseObject, _ names: ServerFieldNames
    ) throws(Wrong) -> LogicalServer.Kind? {
        guard let kind = try object.object(names.kind) else { return nil }
        if let core = try kind.object(ServerKindNames.secureCore) {
            let entry = try core.required(ServerKindNames.entryCountry, core.word)
            return .secureCore(entryCountryCode: entry)
        }
        if let gateway = try kind.object(ServerKindNames.gateway) {
            let name = try gateway.required(ServerKindNames.gatewayName, gateway.text)
            return .gateway(name: name)
        }
        guard try kind.object(ServerKindNames.country) != nil else {
            throw object.wrong(names.kind, "is not country, secureCore or gateway")
        }
        return .country
    }
}

/// The names of a server's fields.
struct ServerFieldNames {
    let id, name, domain, load, tier, score, status, feature: String
    let exitCountry, entryCountry, gatewayName, kind: String
    let city, state, hostCountry, translatedCity, latitude, longitude: String
    /// The objects that contain the city and the coordinates; nil if the server itself contains
    /// them.
    let translations, location: String?
    /// The array of endpoints, and the fields of an endpoint.
    let endpoints, endpointID, entryIP, exitIP, endpointDomain, endpointStatus: String
    let label, publicKey, protocolEntries: String
    /// The fields of a protocol's entry.
    let ipv4 = "IPv4"
    let ports = "Ports"
}

extension ServerFieldNames {
    /// The format of the API.
    static let api = Self(
        id: "ID", name: "Name", domain: "Domain", load: "Load", tier: "Tier", score: "Score",
        status: "Status", feature: "Features", exitCountry: "ExitCountry",
        entryCountry: "EntryCountry", gatewayName: "GatewayName", kind: "Kind", city: "City",
        state: "State", hostCountry: "HostCountry", translatedCity: "City", latitude: "Lat",
        longitude: "Long", translations: "Translations", location: "Location",
        endpoints: "Servers", endpointID: "ID", entryIP: "EntryIP", exitIP: "ExitIP",
        endpointDomain: "Domain", endpointStatus: "Status", label: "Label",
        publicKey: "X25519PublicKey", protocolEntries: "EntryPerProtocol")

    /// The `Codable` format of `VPNServer`. Only the kind contains an entry country and a gateway's
    /// name.
    static let model = Self(
        id: "id", name: "name", domain: "domain", load: "load", tier: "tier", score: "score",
        status: "status", feature: "feature", exitCountry: "exitCountryCode",
        entryCountry: "entryCountryCode", gatewayName: "gatewayName", kind: "kind", city: "city",
        state: "state", hostCountry: "hostCountry", translatedCity: "translatedCity",
        latitude: "latitude", longitude: "longitude", translations: nil, location: nil,
        endpoints: "endpoints", endpointID: "id", entryIP: "entryIp", exitIP: "exitIp",
        endpointDomain: "domain", endpointStatus: "status", label: "label",
        publicKey: "x25519PublicKey", protocolEntries: "protocolEntries")

    /// The object that contains the server in `model`.
    static let logical = "logical"
}

/// The names of kinds in JSON, as in the `Codable` format of `LogicalServer.Kind`: an object with
/// one such field.
enum ServerKindNames {
    static let country = "country"
    static let secureCore = "secureCore"
    static let entryCountry = "entryCountryCode"
    static let gateway = "gateway"
    static let gatewayName = "name"
}
