internal import DocumentStore

extension ServerListJSON {
    /// Writes a list of servers in the format of the API, so that `read` returns equal servers.
    ///
    /// The output depends only on the servers and their order: fields are sorted by name. A kind
    /// that does not follow from a server's features and gateway is added as `Kind`, a field that
    /// the API does not have. It reads the output to verify it, so it costs more than reading.
    /// ```swift
    /// let json = try ServerListJSON.write(serverList.originals, pretty: true)
    /// try json.write(toFile: "servers.json", atomically: true, encoding: .utf8)
    /// ```
    /// Write ``ServerList/originals`` to retain the status that the API has sent; `servers` has
    /// that of queries.
    ///
    /// - Parameters:
    ///   - servers: the servers, in the order of the output.
    ///   - pretty: whether to write each field on a line of its own; false by default.
    /// - Returns: the JSON text, an object with `Code` and `LogicalServers`.
    /// - Throws: ``ServerStoreError`` with ``ServerStoreError/Code/invalidJSON``, naming the
    ///   server, for servers that `read` would leave out or change, such as duplicate IDs or a load
    ///   of 120.
    public static func write(_ servers: [VPNServer], pretty: Bool = false) throws -> String {
        var writer = ServerWriter()
        let text = try writer.text(servers, pretty: pretty)
        let read = try read(text)
        if let problem = read.problems.first {
            throw unwritable(problem)
        }
        guard read.servers == servers else {
            throw unwritable("it would be read as a different list")
        }
        return text
    }

    fileprivate static func unwritable(_ reason: String) -> ServerStoreError {
        ServerStoreError(.invalidJSON, "the list cannot be written: \(reason)")
    }
}

/// Writes servers in the format of the API.
private struct ServerWriter: ~Copyable {
    private var encoder = FleeceEncoder()
    private let names = ServerFieldNames.api
    /// The ID of the server being written.
    private var id = ""

    mutating func text(_ servers: [VPNServer], pretty: Bool) throws -> String {
        encoder.beginDictionary()
        try write("Code", ResponseList.success)
        try encoder.writeKey(ResponseList.field)
        encoder.beginArray()
        for server in servers { try write(server) }
        try encoder.endArray()
        try encoder.endDictionary()
        // The input was in memory, so the size of the output is not limited.
        let options = JSONWriter.Options(
            pretty: pretty, canonical: true, nullForUnrepresentable: false, maximumBytes: .max)
        return try FleeceDocument(trusted: encoder.finish()).root.json(options)
    }

    private mutating func write(_ server: VPNServer) throws {
        let logical = server.logical
        id = logical.id
        encoder.beginDictionary()
        try write(names.id, logical.id)
        try write(names.name, logical.name)
        try write(names.domain, logical.domain)
        try write(names.load, logical.load)
        try write(names.tier, logical.tier)
        try write(names.score, logical.score)
        try write(names.status, logical.status)
        try write(names.feature, logical.feature.rawValue)
        try write(names.exitCountry, logical.exitCountryCode)
        try write(names.entryCountry, logical.entryCountryCode)
        try write(names.gatewayName, logical.gatewayName)
        try write(names.city, logical.city)
        try write(names.state, logical.state)
        try write(names.hostCountry, logical.hostCountry)
        try writeKind(logical)
        try writePosition(logical)
        try encoder.writeKey(names.endpoints)
        encoder.beginArray()
        for endpoint in server.endpoints { try write(endpoint) }
        try encoder.endArray()
        try encoder.endDictionary()
    }

    /// Writes the kind if a reader cannot derive it from the other fields.
    private mutating func writeKind(_ logical: LogicalServer) throws {
        let derived = LogicalServer.kind(
            feature: logical.feature, entryCountryCode: logical.entryCountryCode,
            gatewayName: logical.gatewayName)
        guard logical.kind != derived else { return }
        try encoder.writeKey(names.kind)
        encoder.beginDictionary()
        switch logical.kind {
        case .country:
            try encoder.writeKey(ServerKindNames.country)
            encoder.beginDictionary()
        case .secureCore(let entry):
            try encoder.writeKey(ServerKindNames.secureCore)
            encoder.beginDictionary()
            try write(ServerKindNames.entryCountry, entry)
        case .gateway(let name):
            try encoder.writeKey(ServerKindNames.gateway)
            encoder.beginDictionary()
            try write(ServerKindNames.gatewayName, name)
        }
        try encoder.endDictionary()
        try encoder.endDictionary()
    }

    private mutating func writePosition(_ logical: LogicalServer) throws {
        if let location = names.location {
            try encoder.writeKey(location)
            encoder.beginDictionary()
            try write(names.latitude, logical.latitude)
            try write(names.longitude, logical.longitude)
            try encoder.endDictionary()
        }
        if let translations = names.translations, let city = logical.translatedCity {
            try encoder.writeKey(translations)
            encoder.beginDictionary()
            try write(names.translatedCity, city)
            try encoder.endDictionary()
        }
    }
}

extension ServerWriter {
    private mutating func write(_ endpoint: ServerEndpoint) throws {
        encoder.beginDictionary()
        try write(names.endpointID, endpoint.id)
        try write(names.entryIP, endpoint.entryIp)
        try write(names.exitIP, endpoint.exitIp)
        try write(names.endpointDomain, endpoint.domain)
        try write(names.endpointStatus, endpoint.status)
        try write(names.label, endpoint.label)
        try write(names.publicKey, endpoint.x25519PublicKey)
        if let entries = endpoint.protocolEntries {
            try encoder.writeKey(names.protocolEntries)
            encoder.beginDictionary()
            for (name, entry) in entries {
                try encoder.writeKey(name)
                try write(entry)
            }
            try encoder.endDictionary()
        }
        try encoder.endDictionary()
    }

    private mutating func write(_ entry: ServerProtocolEntry?) throws {
        guard let entry else { return encoder.writeNull() }
        encoder.beginDictionary()
        try write(names.ipv4, entry.ipv4)
        if let ports = entry.ports {
            try encoder.writeKey(names.ports)
            encoder.beginArray()
            for port in ports { encoder.writeInt(port) }
            try encoder.endArray()
        }
        try encoder.endDictionary()
    }

    /// Writes a field, unless its value is nil.
    private mutating func write(_ name: String, _ text: String?) throws {
        guard let text else { return }
        try encoder.writeKey(name)
        encoder.writeString(text)
    }

    private mutating func write(_ name: String, _ number: Int) throws {
        try encoder.writeKey(name)
        encoder.writeInt(number)
    }

    private mutating func write(_ name: String, _ number: Double) throws {
        guard number.isFinite else {
            throw ServerListJSON.unwritable(
                "\(name) of the server \(ReadProblems.shown(id)) is \(number)")
        }
        try encoder.writeKey(name)
        // Writes negative zero as zero: both are equal, but only one has a sign.
        try encoder.writeDouble(number == 0 ? 0 : number)
    }
}
