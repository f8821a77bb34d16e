internal import DocumentStore

/// Reads records from bodies of documents, many of the same shape in sequence.
///
/// A record is nil if a required property is missing or has another type.
struct RecordReader {
    private var id = FleeceKey("id"), name = FleeceKey("name"), domain = FleeceKey("domain")
    private var exitCountryCode = FleeceKey("exitCountryCode")
    private var entryCountryCode = FleeceKey("entryCountryCode")
    private var kind = FleeceKey("kind"), tier = FleeceKey("tier"), feature = FleeceKey("feature")
    private var gatewayName = FleeceKey("gatewayName"), city = FleeceKey("city")
    private var translatedCity = FleeceKey("translatedCity"), state = FleeceKey("state")
    private var hostCountry = FleeceKey("hostCountry"), latitude = FleeceKey("latitude")
    private var longitude = FleeceKey("longitude"), endpoints = FleeceKey("endpoints")
    private var status = FleeceKey("status"), load = FleeceKey("load"), score = FleeceKey("score")
    private var endpointID = FleeceKey("id"), endpointDomain = FleeceKey("domain")
    private var endpointStatus = FleeceKey("status"), entryIp = FleeceKey("entryIp")
    private var exitIp = FleeceKey("exitIp"), label = FleeceKey("label")
    private var publicKey = FleeceKey("publicKey")
    private var protocolMask = FleeceKey("protocolMask")
    private var protocolEntries = FleeceKey("protocolEntries")

    mutating func logical(_ properties: UnsafeFleeceDictionary) -> LogicalRecord? {
        guard let id = properties.value(&id)?.string,
            let name = properties.value(&name)?.string,
            let exit = properties.value(&exitCountryCode)?.string,
            let tier = properties.value(&tier)?.int.flatMap({ Int(exactly: $0) }),
            let feature = properties.value(&feature)?.int.flatMap({ Int(exactly: $0) }),
            let list = properties.value(&endpoints), list.kind == .array
        else { return nil }
        let kind = properties.value(&kind)?.string.flatMap { LogicalRecord.Kind(rawValue: $0) }
        var endpoints: [EndpointRecord] = []
        endpoints.reserveCapacity(list.elementCount)
        for index in 0..<list.elementCount {
            guard let value = list[index]?.dictionary, let endpoint = endpoint(value) else {
                return nil
            }
            endpoints.append(endpoint)
        }
        return LogicalRecord(
            id: id, name: name, domain: properties.value(&domain)?.string ?? "",
            exitCountryCode: exit,
            entryCountryCode: properties.value(&entryCountryCode)?.string ?? exit,
            kind: kind ?? .country, tier: tier, feature: feature,
            gatewayName: properties.value(&gatewayName)?.string,
            city: properties.value(&city)?.string,
            translatedCity: properties.value(&translatedCity)?.string,
            state: properties.value(&state)?.string,
            hostCountry: properties.value(&hostCountry)?.string,
            latitude: properties.value(&latitude)?.double ?? 0,
            longitude: properties.value(&longitude)?.double ?? 0, endpoints: endpoints)
    }

    private mutating func endpoint(
        _ properties: UnsafeFleeceDictionary
    ) -> EndpointRecord? {
        guard let id = properties.value(&endpointID)?.string,
            let exitIp = properties.value(&exitIp)?.string,
            let status = properties.value(&endpointStatus)?.int.flatMap({ Int(exactly: $0) })
        else { return nil }
        var endpoint = EndpointRecord(
            id: id, entryIp: properties.value(&entryIp)?.string, exitIp: exitIp,
            domain: properties.value(&endpointDomain)?.string ?? "", status: status,
            label: properties.value(&label)?.string,
            x25519PublicKey: properties.value(&publicKey)?.string)
        if let entries = properties.value(&protocolEntries)?.dictionary {
            let mask = properties.value(&protocolMask)?.int.flatMap { Int(exactly: $0) }
            endpoint.overrideInfo = OverrideRecord(
                protocolMask: mask ?? 0, protocolEntries: Self.entries(entries))
        }
        return endpoint
    }

    private static func entries(_ properties: UnsafeFleeceDictionary) -> ProtocolEntries {
        var entries: ProtocolEntries = [:]
        properties.forEachPair { bytes, value in
            let name = String(decoding: bytes, as: UTF8.self)
            guard let object = value.dictionary else {
                entries.updateValue(nil, forKey: name)
                return
            }
            var ports: [Int]?
            if let list = object["Ports"], list.kind == .array {
                ports = (0..<list.elementCount).compactMap { index in
                    list[index]?.int.map { Int(clamping: $0) }
                }
            }
            let entry = ServerProtocolEntry(ipv4: object["IPv4"]?.string, ports: ports)
            entries.updateValue(entry, forKey: name)
        }
        return entries
    }

    mutating func status(_ properties: UnsafeFleeceDictionary) -> StatusRecord? {
        guard let status = properties.value(&status)?.int.flatMap({ Int(exactly: $0) }),
            let load = properties.value(&load)?.int.flatMap({ Int(exactly: $0) }),
            let score = properties.value(&score)?.double
        else { return nil }
        return StatusRecord(status: status, load: load, score: score)
    }
}
