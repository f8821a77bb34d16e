import Foundation
import ServerStore
import Testing

@Suite("Answers that are no list of servers")
struct ServerListResponseTests {
    @Test(
        "an answer without a list is an error that says why",
        arguments: [
            ("", "the list of servers is not JSON: "), ("{", "the list of servers is not JSON: "),
            ("5", "the list of servers is not JSON: "),
            ("<html>", "the list of servers is not JSON: "),
            (#"[{"Score": NaN}]"#, "the list of servers is not JSON: "),
            (#"[{"Score": 1e999}]"#, "the list of servers is not JSON: "),
            (#"[{"ID": "\ud800"}]"#, "the list of servers is not JSON: half a surrogate pair"),
            ("[1,]", "the list of servers is not JSON: "),
            ("{}", "LogicalServers is missing, so the answer has no list of servers"),
            (#"{"Code": 1000}"#, "LogicalServers is missing, so the answer has no list of servers"),
            (
                #"{"LogicalServers": {}}"#,
                "LogicalServers is not an array, so the answer has no list of servers"
            ),
            (
                #"{"LogicalServers": null}"#,
                "LogicalServers is not an array, so the answer has no list of servers"
            ),
            (
                #"{"Code": 401, "Error": "Invalid\ntoken", "LogicalServers": []}"#,
                #"the API answered with code 401, "Invalid\ntoken"; ask again later"#
            ),
            (
                #"{"Code": 2028.5, "LogicalServers": []}"#,
                "the API answered with code 2028.5; ask again later"
            ),
            (
                #"{"Code": "1000", "LogicalServers": []}"#,
                "the API answered with code that is not a number; ask again later"
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

    @Test("an answer without a code is taken, and so is a list of nothing")
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

    @Test("a long text is cut off where a problem shows it")
    func longTexts() throws {
        let name = String(repeating: "n", count: 1 << 20)
        let entries = "{\"\(name)\": 5}"
        let server = AnswerText.server("a", .endpoint().with("EntryPerProtocol", entries))
        let problem = try #require(
            ServerListJSON.read(AnswerText.list(server)).problems.first)
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
        "commas behind the last element are allowed on request",
        arguments: [
            "[%,]", "[%,{},]", "[% , \n\t]", #"{"LogicalServers":[%,],}"#,
            #"{"Code":1000,"LogicalServers":[%]  ,}"#,
        ])
    func trailingCommas(form: String) throws {
        let server = AnswerText.server().with("Name", #""a,]\",}\\""#)
            .with("Servers", "[\(AnswerText.endpoint().json.dropLast()),},]")
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

    @Test("an error is told where it stands, commas or not")
    func places() {
        let json = "[{},{\"a\":[1,],},x]"
        let error = #expect(throws: ServerStoreError.self) {
            try ServerListJSON.read(json, allowingTrailingCommas: true)
        }
        #expect(error?.message.contains("16") == true, "\(error?.message ?? "")")
    }
}
