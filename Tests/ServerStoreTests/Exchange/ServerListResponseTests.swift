import Foundation
import ServerStore
import Testing

@Suite("Responses that are not a list of servers")
struct ServerListResponseTests {
    @Test(
        "a response without a list is an error with the reason",
        arguments: [
            ("", "the list of servers is not JSON: "), ("{", "the list of servers is not JSON: "),
            ("5", "the list of servers is not JSON: "),
            ("<html>", "the list of servers is not JSON: "),
            (#"[{"Score": NaN}]"#, "the list of servers is not JSON: "),
            (#"[{"Score": 1e999}]"#, "the list of servers is not JSON: "),
            (#"[{"ID": "\ud800"}]"#, "the list of servers is not JSON: an unpaired surrogate"),
            ("[1,]", "the list of servers is not JSON: "),
            ("{}", "LogicalServers is missing, so the response has no list of servers"),
            (
                #"{"Code": 1000}"#,
                "LogicalServers is missing, so the response has no list of servers"
            ),
            (
                #"{"LogicalServers": {}}"#,
                "LogicalServers is not an array, so the response has no list of servers"
            ),
            (
                #"{"LogicalServers": null}"#,
                "LogicalServers is not an array, so the response has no list of servers"
            ),
            (
                #"{"Code": 401, "Error": "Invalid\ntoken", "LogicalServers": []}"#,
                #"the API responded with code 401, "Invalid\ntoken"; try again later"#
            ),
            (
                #"{"Code": 2028.5, "LogicalServers": []}"#,
                "the API responded with code 2028.5; try again later"
            ),
            (
                #"{"Code": "1000", "LogicalServers": []}"#,
                "the API responded with code that is not a number; try again later"
            ),
        ])
    func errors(json: String, says: String) {
        for read in [
            { _ = try ServerListJSON.read(json) }, { _ = try ServerListJSON.readLoads(json) },
        ] {
            let error = #expect(throws: ServerStoreError.self) { try read() }
            #expect(error?.code == .invalidJSON)
            #expect(error?.message.hasPrefix(says) == true, "\(error?.message ?? "")")
            #expect(error?.message.contains("\n") == false)
        }
    }

    @Test("bytes that are not UTF-8 are an error")
    func encoding() {
        let json = Data(#"[{"ID": ""#.utf8) + [0xFF] + Data("\"}]".utf8)
        let error = #expect(throws: ServerStoreError.self) { try ServerListJSON.read(json) }
        #expect(error?.code == .invalidJSON)
    }

    @Test("a response without a code is accepted, and so is an empty list")
    func taken() throws {
        for json in ["[]", #"{"LogicalServers": []}"#, #"{"Code": null, "LogicalServers": []}"#] {
            let read = try ServerListJSON.read(json)
            #expect(read.servers == [] && read.problems == [])
        }
    }

    @Test("of more than a thousand problems the rest is counted")
    func manyProblems() throws {
        let json = "[\(Array(repeating: "{}", count: 200_000).joined(separator: ","))]"
        let read = try ServerListJSON.read(json)
        #expect(read.problems.count == 1_001)
        #expect(read.problems.last == "and 199000 more")
    }

    @Test("a long string is truncated in a problem")
    func longTexts() throws {
        let name = String(repeating: "n", count: 1 << 20)
        let entries = "{\"\(name)\": 5}"
        let server = ResponseText.server("a", .endpoint().with("EntryPerProtocol", entries))
        let problem = try #require(
            ServerListJSON.read(ResponseText.list(server)).problems.first)
        #expect(problem.utf8.count < 300 && problem.contains("nnn\"…"))
        let refused = #"{"Code": 5, "Error": "\#(name)"}"#
        let error = #expect(throws: ServerStoreError.self) { try ServerListJSON.read(refused) }
        #expect((error?.message.utf8.count ?? .max) < 300)
    }

    @Test("nesting without end is an error")
    func nesting() {
        for text in ["[", #"{"LogicalServers":["#, #"[{"Servers":"#] {
            let json = String(repeating: text, count: 100_000)
            #expect(throws: ServerStoreError.self) { try ServerListJSON.read(json) }
            #expect(throws: ServerStoreError.self) {
                try ServerListJSON.read(json, allowingTrailingCommas: true)
            }
        }
    }

    @Test(
        "trailing commas are allowed on request",
        arguments: [
            "[%,]", "[%,{},]", "[% , \n\t]", #"{"LogicalServers":[%,],}"#,
            #"{"Code":1000,"LogicalServers":[%]  ,}"#,
        ])
    func trailingCommas(form: String) throws {
        let server = ResponseText.server().with("Name", #""a,]\",}\\""#)
            .with("Servers", "[\(ResponseText.endpoint().json.dropLast()),},]")
        let json = form.replacingOccurrences(of: "%", with: server.json)
        #expect(throws: ServerStoreError.self) { try ServerListJSON.read(json) }
        let read = try ServerListJSON.read(json, allowingTrailingCommas: true)
        #expect(read.servers.map(\.logical.name) == [#"a,]",}\"#])
        #expect(read.servers.first?.endpoints.count == 1)
        #expect(try ServerListJSON.readLoads(json, allowingTrailingCommas: true).loads.count == 1)
    }

    @Test(
        "commas that no value stands in front of are errors all the same",
        arguments: [
            "[,]", "[{},,]", "[ ,{}]", #"{,"LogicalServers":[]}"#, #"{"LogicalServers":,}"#,
            "[{}],", ",[]", "[{}", "[{},", "[\"", "[\"\\", #"["a\"#, "[,", ",",
        ])
    func otherCommas(json: String) {
        #expect(throws: ServerStoreError.self) {
            try ServerListJSON.read(json, allowingTrailingCommas: true)
        }
    }

    @Test("an error has its position, with and without trailing commas")
    func places() {
        let json = "[{},{\"a\":[1,],},x]"
        let error = #expect(throws: ServerStoreError.self) {
            try ServerListJSON.read(json, allowingTrailingCommas: true)
        }
        #expect(error?.message.contains("16") == true, "\(error?.message ?? "")")
    }
}
