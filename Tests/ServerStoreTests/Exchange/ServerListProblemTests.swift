import Foundation
import ServerStore
import Testing

@Suite("Lists of servers that are wrong")
struct ServerListProblemTests {
    /// What a server that is left out is said to lack.
    static let required: [(field: String, value: String?, says: String)] = [
        ("ID", nil, "[0]: ID is missing"), ("ID", "null", "[0]: ID is missing"),
        ("ID", "5", "[0]: ID is not a string"), ("ID", "\"\"", "[0]: ID is empty"),
        ("ID", #""a\u0000b""#, "[0]: ID has control characters"),
        ("ID", #""a\nb""#, "[0]: ID has control characters"),
        ("ID", "\"\(String(repeating: "x", count: 241))\"", "[0]: ID is longer than 240 bytes"),
        ("Name", nil, "Name is missing"), ("Name", "[]", "Name is not a string"),
        ("Name", "\"\"", "Name is empty"),
        ("Domain", nil, "Domain is missing"), ("Domain", "{}", "Domain is not a string"),
        ("ExitCountry", "\"\"", "ExitCountry is empty"),
        ("ExitCountry", nil, "ExitCountry is missing"),
        ("Tier", "-1", "Tier is not a whole number of 0 or more"),
        ("Tier", "\"2\"", "Tier is not a whole number of 0 or more"),
        ("Tier", nil, "Tier is missing"),
        ("Features", "1.5", "Features is not a whole number of 0 or more"),
        ("Features", "18446744073709551615", "Features is not a whole number of 0 or more"),
        ("Features", nil, "Features is missing"),
        ("Score", "\"NaN\"", "Score is not a number"), ("Score", "true", "Score is not a number"),
        ("Score", nil, "Score is missing"),
        ("Load", "\"40\"", "Load is not a number"), ("Load", nil, "Load is missing"),
        ("Status", "1e300", "Status is not a whole number"), ("Status", nil, "Status is missing"),
        ("Status", "true", "Status is not a whole number"),
        ("Servers", nil, "Servers is missing"), ("Servers", "{}", "Servers is not an array"),
    ]

    @Test("a server that lacks what it cannot be without is left out", arguments: required)
    func leftOut(field: String, value: String?, says: String) throws {
        let bad = ResponseText.server("bad").with(field, value)
        let read = try ServerListJSON.read(ResponseText.list(bad, .server("good")))
        #expect(read.servers.map(\.id) == ["good"])
        let place = says.hasPrefix("[") ? "LogicalServers" : #"LogicalServers[0] "bad": "#
        #expect(read.problems == ["\(place)\(says); the server is left out"])
    }

    @Test("a secure core server must have an entry country")
    func entryCountry() throws {
        for (value, says) in [(nil, "missing"), ("\"\"", "empty")] as [(String?, String)] {
            let core = ResponseText.server().with("Features", "1").with("EntryCountry", value)
            let read = try ServerListJSON.read(ResponseText.list(core))
            #expect(read.servers == [])
            #expect(
                read.problems == [
                    #"LogicalServers[0] "a": EntryCountry is \#(says); the server is left out"#
                ])
            // To others it is nothing.
            let plain = ResponseText.server().with("EntryCountry", value)
            #expect(try ServerListJSON.read(ResponseText.list(plain)).problems == [])
        }
    }

    @Test(
        "a server with invalid optional fields is read without them",
        arguments: [
            ("City", "5", "City is not a string"), ("State", "[]", "State is not a string"),
            ("HostCountry", "true", "HostCountry is not a string"),
            ("GatewayName", "{}", "GatewayName is not a string"),
            ("Translations", "[]", "Translations is not an object"),
            ("Translations", #"{"City": 1}"#, "Translations.City is not a string"),
            ("Location", "\"here\"", "Location is not an object"),
            ("Location", #"{"Lat": 90.5, "Long": 0}"#, "Location.Lat is 90.5, beyond 90 degrees"),
            (
                "Location", #"{"Lat": 0, "Long": -1e9}"#,
                "Location.Long is -1000000000.0, beyond 180 degrees"
            ),
            ("Location", #"{"Lat": "1", "Long": 0}"#, "Location.Lat is not a number"),
            ("Kind", "7", "Kind is not an object"),
            ("Kind", #"{"moon": {}}"#, "Kind is not country, secureCore or gateway"),
            ("Kind", #"{"gateway": {}}"#, "Kind.gateway.name is missing"),
        ])
    func kept(field: String, value: String, says: String) throws {
        let read = try ServerListJSON.read(ResponseText.list(.server().with(field, value)))
        #expect(read.problems == [#"LogicalServers[0] "a": \#(says); it is left out"#])
        let server = try #require(read.servers.first)
        #expect(server.logical.kind == .country && server.endpoints.count == 1)
        switch field {
        case "City": #expect(server.logical.city == nil)
        case "HostCountry": #expect(server.logical.hostCountry == nil)
        case "Translations": #expect(server.logical.translatedCity == nil)
        case "Location": #expect(server.logical.latitude == 0 && server.logical.longitude == 0)
        default: break
        }
    }

    @Test(
        "a load is held between 0 and 100",
        arguments: [
            ("-1", 0, "-1.0"), ("101", 100, "101.0"), ("1e300", 100, "1e+300"),
            ("-9223372036854775808", 0, "-9.223372036854776e+18"), ("12.5", 13, "12.5"),
            ("0.25", 0, "0.25"), ("0", 0, nil), ("100", 100, nil), ("50.0", 50, nil),
        ] as [(String, Int, String?)])
    func load(value: String, load: Int, says: String?) throws {
        let read = try ServerListJSON.read(ResponseText.list(.server().with("Load", value)))
        #expect(read.servers.map(\.logical.load) == [load])
        let problem = says.map {
            #"LogicalServers[0] "a": Load is \#($0), not a whole number of 0 to 100; "#
                + "\(load) is used"
        }
        #expect(read.problems == (problem.map { [$0] } ?? []))
    }

    @Test("of servers with the same id the first readable one is used")
    func duplicateServers() throws {
        let read = try ServerListJSON.read(
            ResponseText.list(
                .server("a").with("Name", nil), .server("a").with("Name", "\"second\""),
                .server("b"), .server("a").with("City", "5")))
        #expect(read.servers.map(\.logical.name) == ["second", "CH#1"])
        #expect(
            read.problems == [
                #"LogicalServers[0] "a": Name is missing; the server is left out"#,
                #"LogicalServers[3] "a": ID is that of a previous server; the server is left out"#,
            ])
        // Two spellings of one text are one id, as they are to a dictionary of Swift.
        let spelled = try ServerListJSON.read(
            ResponseText.list(.server("\u{E9}"), .server("e\u{301}")))
        #expect(spelled.servers.count == 1 && spelled.problems.count == 1)
    }

    @Test("something that is not a server is left out")
    func others() throws {
        let read = try ServerListJSON.read(#"[5, null, "a", [], {}, {"logical": 1}]"#)
        #expect(read.servers == [])
        let end = "the server is left out"
        #expect(
            read.problems == [
                "[0]: it is not an object; \(end)", "[1]: it is not an object; \(end)",
                "[2]: it is not an object; \(end)", "[3]: it is not an object; \(end)",
                "[4]: ID is missing; \(end)", "[5]: logical is not an object; \(end)",
            ])
    }

    @Test("fields of a list as clients keep it are named as they are there")
    func models() throws {
        let read = try ServerListJSON.read(
            #"""
            [{"logical": {"id": "x", "name": "DE#1", "domain": "", "load": 1, "tier": 0,
              "exitCountryCode": "DE", "score": 1, "status": 1, "feature": 0, "city": 4,
              "latitude": 91}, "endpoints": [{"id": "e"}]},
             {"logical": {"id": "y"}, "endpoints": []}]
            """#)
        #expect(read.servers.map(\.id) == ["x"])
        #expect(
            read.problems == [
                #"[0] "x": logical.city is not a string; it is left out"#,
                #"[0] "x": logical.latitude is 91.0, beyond 90 degrees; it is left out"#,
                #"[0] "x": endpoints[0].exitIp is missing; the endpoint is left out"#,
                #"[1] "y": logical.feature is missing; the server is left out"#,
            ])
    }
}
