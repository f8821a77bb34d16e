import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("kvtool fleece")
struct FleeceCommandTests {
    private let database: SampleDatabase
    /// `{"foo":123}`
    private static let hex = "43666f6f70018003007b8003"

    init() throws {
        database = try SampleDatabase(lines: [#"{"_id":"a/b","name":"Ada","age":36}"#])
    }

    private var address: String { "\(database.path)//_default/a/b" }

    private func fleece(_ arguments: String..., stdin: String = "") throws -> Command.Outcome {
        try Kvtool.run(["fleece"] + arguments, stdin: Data(stdin.utf8))
    }

    @Test("encodes JSON and JSON5, and decodes the result")
    func roundTrip() throws {
        #expect(
            try fleece("encode", "--hex", stdin: #"{"foo":123}"#).success().stdout
                == Self.hex + "\n")
        #expect(
            try fleece("encode", "--hex", "--json5", stdin: "{foo: +123,}").success().stdout
                == Self.hex + "\n")
        let bytes = try fleece("encode", stdin: #"{"b":[1,"é"],"a":null}"#).success()
        let file = try database.newFile("x.fleece", bytes.standardOutput)
        #expect(try fleece("decode", file).success().stdout.hasPrefix("{\n  \"a\""))
        #expect(
            try fleece("decode", file, "--canonical").success().stdout
                == #"{"a":null,"b":[1,"é"]}"# + "\n")
        #expect(
            try fleece("decode", "--hex", "--raw", stdin: "4366 6f6f\n70018003007B8003").success()
                .stdout == #"{"foo":123}"# + "\n")
    }

    @Test("shows the meaning of the bytes")
    func dump() throws {
        #expect(
            try fleece("dump", "--hex", stdin: Self.hex).success().lines == [
                #"0000  43 66 6f 6f               string "foo""#,
                "0004  70 01                     dictionary of 1",
                #"0006  80 03                       key: pointer back 6 to 0000: string "foo""#,
                "0008  00 7b                       value: integer 123",
                "000a  80 03                     root: pointer back 6 to 0004: dictionary of 1",
            ])
        let json = try fleece("dump", "--hex", "--json", stdin: Self.hex).success().lines
        #expect(json[0] == #"{"schema":"kvtool.fleece.dump/1","bytes":12,"lines":["#)
        #expect(
            json[1] == #"{"offset":0,"bytes":4,"hex":"43666f6f","slot":false,"#
                + #""meaning":"string \"foo\""},"#)
    }

    @Test("reads a document with the shared keys of its database")
    func document() throws {
        #expect(
            try fleece("decode", address, "--canonical").success().stdout
                == #"{"age":36,"name":"Ada"}"# + "\n")
        #expect(try fleece("dump", address).success().stdout.contains(#"string "Ada""#))
        #expect(try fleece("validate", address).success().stdout.contains("valid, "))
        let outcome = try fleece("decode", "\(database.path)//_default/nobody")
        #expect(
            outcome.refusal(status: 3)
                == #"\#(database.path): document "nobody" is not in the collection _default"#)
        try fleece("decode", "\(database.path)//nope/x").refusal(status: 3)
        try fleece("decode", address, "--extra").refusal(status: 3)
        try database.run("rm", "a/b").success()
        try fleece("decode", address).refusal(status: 3)
    }

    @Test("uses the shared keys of --keys for encoding and decoding")
    func sharedKeys() throws {
        let encoded = try fleece("encode", "--keys", database.path, stdin: #"{"age":1}"#).success()
        let file = try database.newFile("x.fleece", encoded.standardOutput)
        #expect(encoded.standardOutput.count < 10)
        // To leave out what has no name would be to lose it.
        #expect(
            try fleece("decode", file, "--raw").refusal(status: 5)
                == "\(file) is not valid Fleece: no shared key has the number 1 (at byte 2); if "
                + "it uses shared keys, --keys names their database")
        #expect(
            try fleece("decode", file, "--raw", "--keys", database.path).success().stdout
                == #"{"age":1}"# + "\n")
        try fleece("validate", file).refusal(status: 5)
        try fleece("validate", file, "--structure").success()
        try fleece("validate", file, "--keys", database.path).success()
    }

    @Test("reports errors and their positions")
    func wrong() throws {
        #expect(
            try fleece("encode", "--hex", stdin: "{\"a\":\n x}").refusal(status: 1)
                .hasPrefix("invalid JSON, line 2, column 2: "))
        #expect(
            try fleece("decode", "--hex", stdin: "43zz").refusal(status: 1)
                == "standard input is not hexadecimal: line 1, column 3")
        #expect(
            try fleece("decode", "--hex", stdin: "433").refusal(status: 1)
                == "standard input is not hexadecimal: the number of digits is odd")
        #expect(
            try fleece("decode", "/nowhere.fleece").refusal(status: 3)
                == "/nowhere.fleece does not exist")
        for bytes in ["", "00", "8003", "70ff8003", "43666f6f70018009007b8003"] {
            try fleece("decode", "--hex", stdin: bytes).refusal(status: 5)
            try fleece("validate", "--hex", stdin: bytes).refusal(status: 5)
        }
        let json = try fleece("validate", "--hex", "--json", stdin: "8003")
        #expect(json.status == 5)
        #expect(
            json.stdout.hasPrefix(
                #"{"schema":"kvtool.fleece.validate/1","intact":false,"bytes":2,"message":""#))
        let dump = try fleece("dump", "--hex", stdin: "43666f6f70018009007b8003")
        #expect(dump.status == 5 && dump.stdout.contains(" ! "))
    }

    @Test(
        "reads the bodies of every version, and the revisions of remotes",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"),
        arguments: [
            "upgrade_2.7", "upgrade_2.8_index", "sample_revtree_503", "sample_vectors_503",
        ])
    func golden(_ name: String) throws {
        let golden = try SampleDatabase(golden: name)
        let ids = try golden.run("ls", "--null").success().stdout.split(separator: "\0")
        #expect(!ids.isEmpty)
        for id in ids.prefix(3) {
            let address = "\(golden.path)//_default/\(id)"
            try fleece("validate", address).success()
            let decoded = try fleece("decode", address, "--raw").success().stdout
            // An id may begin with a dash.
            let shown = try golden.run("cat", "--raw", "--", String(id)).success().stdout
            // cat has the id in front.
            #expect(decoded == "{}\n" || shown.hasSuffix(decoded.dropFirst()))
        }
    }
}
