import ServerStore

/// Servers and endpoints as the API writes them, field by field.
struct ResponseText {
    /// Names and values, in JSON.
    var fields: [(name: String, value: String)]

    /// A server that lacks nothing, with one endpoint unless others are given.
    static func server(_ id: String = "a", _ endpoints: ResponseText...) -> Self {
        let endpoints = endpoints.isEmpty ? [endpoint()] : endpoints
        return ResponseText(fields: [
            ("ID", "\"\(id)\""), ("Name", "\"CH#1\""), ("EntryCountry", "\"SE\""),
            ("ExitCountry", "\"CH\""), ("Domain", "\"ch.example\""), ("Tier", "2"),
            ("Features", "12"), ("Region", "null"), ("City", "\"Zurich\""), ("State", "null"),
            ("Score", "1.25"), ("Load", "40"), ("Status", "1"), ("HostCountry", "\"DE\""),
            ("Location", #"{"Lat": 47.5, "Long": -8.25}"#),
            ("Translations", #"{"City": "Zürich"}"#),
            ("Servers", "[\(endpoints.map(\.json).joined(separator: ", "))]"),
        ])
    }

    /// An endpoint that lacks nothing.
    static func endpoint(_ id: String = "e") -> Self {
        ResponseText(fields: [
            ("ID", "\"\(id)\""), ("EntryIP", "\"192.0.2.1\""), ("ExitIP", "\"192.0.2.2\""),
            ("Domain", "\"e.example\""), ("Status", "1"), ("Label", "\"0\""),
            ("X25519PublicKey", "\"a2V5\""), ("EntryPerProtocol", "null"), ("Generation", "0"),
            ("ServicesDown", "0"), ("ServicesDownReason", "null"),
        ])
    }

    /// With another value of a field, or a field more; nil takes it away.
    func with(_ name: String, _ value: String?) -> Self {
        var other = self
        other.fields.removeAll { $0.name == name }
        if let value { other.fields.append((name, value)) }
        return other
    }

    var json: String {
        "{\(fields.map { "\"\($0.name)\": \($0.value)" }.joined(separator: ", "))}"
    }

    /// A response with servers.
    static func list(_ servers: ResponseText...) -> String {
        #"{"Code": 1000, "LogicalServers": [\#(servers.map(\.json).joined(separator: ", "))]}"#
    }
}
