internal import DocumentStore

// Writes records as bodies of documents. Written by hand for speed: a list has thousands of
// records, and the user waits for the first one to be stored. Nil values are not written.
extension LogicalRecord {
    func write(to encoder: inout FleeceEncoder) throws {
        encoder.beginDictionary()
        try encoder.write("id", id)
        try encoder.write("name", name)
        try encoder.write("domain", domain)
        try encoder.write("exitCountryCode", exitCountryCode)
        try encoder.write("entryCountryCode", entryCountryCode)
        try encoder.write("kind", kind.rawValue)
        try encoder.write("tier", tier)
        try encoder.write("feature", feature)
        try encoder.write("gatewayName", gatewayName)
        try encoder.write("city", city)
        try encoder.write("translatedCity", translatedCity)
        try encoder.write("state", state)
        try encoder.write("hostCountry", hostCountry)
        try encoder.write("latitude", latitude)
        try encoder.write("longitude", longitude)
        let parts = ServerName(name)
        try encoder.write("namePrefix", parts.prefix)
        try encoder.write("sequenceNumber", parts.sequence)
        // Precomputed for queries on whether the server is up.
        try encoder.write("hasEndpointUp", endpoints.contains { $0.status != 0 })
        try encoder.writeKey("endpoints")
        encoder.beginArray()
        for endpoint in endpoints { try endpoint.write(to: &encoder) }
        try encoder.endArray()
        try encoder.endDictionary()
    }
}

extension EndpointRecord {
    fileprivate func write(to encoder: inout FleeceEncoder) throws {
        encoder.beginDictionary()
        try encoder.write("id", id)
        try encoder.write("entryIp", entryIp)
        try encoder.write("exitIp", exitIp)
        try encoder.write("domain", domain)
        try encoder.write("status", status)
        try encoder.write("label", label)
        try encoder.write("publicKey", x25519PublicKey)
        if let overrideInfo {
            try encoder.write("protocolMask", overrideInfo.protocolMask)
            try encoder.writeKey("protocolEntries")
            try overrideInfo.write(to: &encoder)
        }
        try encoder.endDictionary()
    }
}

extension OverrideRecord {
    /// Sorted, so that equal entries are written as equal bytes.
    fileprivate func write(to encoder: inout FleeceEncoder) throws {
        encoder.beginDictionary()
        for (name, entry) in protocolEntries.sorted(by: { $0.key < $1.key }) {
            try encoder.writeKey(name)
            guard let entry else {
                encoder.writeNull()
                continue
            }
            encoder.beginDictionary()
            try encoder.write("IPv4", entry.ipv4)
            if let ports = entry.ports {
                try encoder.writeKey("Ports")
                encoder.beginArray()
                for port in ports { encoder.writeInt(port) }
                try encoder.endArray()
            }
            try encoder.endDictionary()
        }
        try encoder.endDictionary()
    }
}

extension StatusRecord {
    func write(to encoder: inout FleeceEncoder) throws {
        encoder.beginDictionary()
        try encoder.write("status", status)
        try encoder.write("load", load)
        try encoder.write("score", score)
        try encoder.endDictionary()
    }
}
