internal import DocumentStore

extension ServerReader {
    /// Reads the endpoints of a server; unusable ones are left out.
    mutating func endpoints(
        _ array: FleeceArray, _ names: ServerFieldNames
    ) -> [ServerEndpoint] {
        var endpoints: [ServerEndpoint] = []
        endpoints.reserveCapacity(array.count)
        var ids: Set<String> = []
        for (index, value) in array.enumerated() {
            do throws(Wrong) {
                let path = "\(names.endpoints)[\(index)]"
                guard let fields = value.dictionary else {
                    throw Wrong(field: path, reason: "is not an object")
                }
                let object = ResponseObject(fields: fields, path: path + ".")
                let endpoint = try endpoint(object, names)
                guard ids.insert(endpoint.id).inserted else {
                    throw object.wrong(names.endpointID, "is that of a previous endpoint")
                }
                endpoints.append(endpoint)
            } catch {
                note(error, "the endpoint is left out")
            }
        }
        return endpoints
    }

    /// Reads an endpoint. Its ID may be empty, as in some lists.
    private mutating func endpoint(
        _ object: ResponseObject, _ names: ServerFieldNames
    ) throws(Wrong) -> ServerEndpoint {
        var endpoint = ServerEndpoint(
            id: try object.required(names.endpointID, object.text),
            exitIp: try object.required(names.exitIP, object.word),
            domain: try object.required(names.endpointDomain, object.text),
            status: try object.required(names.endpointStatus, object.whole))
        endpoint.entryIp = optional { () throws(Wrong) in try object.word(names.entryIP) }
        endpoint.label = optional { () throws(Wrong) in try object.text(names.label) }
        endpoint.x25519PublicKey = optional { () throws(Wrong) in
            try object.text(names.publicKey)
        }
        endpoint.protocolEntries = protocolEntries(object, names)
        return endpoint
    }

    /// The protocol entries of an endpoint, known or not. An invalid entry still names its
    /// protocol, like `null`.
    private mutating func protocolEntries(
        _ object: ResponseObject, _ names: ServerFieldNames
    ) -> ProtocolEntries? {
        let read = optional { () throws(Wrong) in try object.object(names.protocolEntries) }
        guard let read else { return nil }
        var entries: ProtocolEntries = [:]
        for (name, value) in read.fields {
            let path = "\(read.path)\(ReadProblems.shown(name))"
            if value.isNull {
                entries.updateValue(nil, forKey: name)
            } else if let fields = value.dictionary {
                let entry = entry(ResponseObject(fields: fields, path: path + "."), names)
                entries.updateValue(entry, forKey: name)
            } else {
                note(Wrong(field: path, reason: "is not an object"), "null is used")
                entries.updateValue(nil, forKey: name)
            }
        }
        return entries
    }

    private mutating func entry(
        _ object: ResponseObject, _ names: ServerFieldNames
    ) -> ServerProtocolEntry {
        let ipv4 = optional { () throws(Wrong) in try object.word(names.ipv4) }
        let array = optional { () throws(Wrong) in try object.array(names.ports) }
        let ports = array.map { array in
            array.enumerated().compactMap { index, value in
                optional { () throws(Wrong) in try Self.port(value, object, names, index) }
            }
        }
        return ServerProtocolEntry(ipv4: ipv4, ports: ports)
    }

    private static func port(
        _ value: FleeceValue, _ object: ResponseObject, _ names: ServerFieldNames, _ index: Int
    ) throws(Wrong) -> Int? {
        guard let port = ResponseObject.whole(value), (1...65_535).contains(port) else {
            throw object.wrong("\(names.ports)[\(index)]", "is not a port")
        }
        return port
    }
}
