import Foundation
import SampleData
import StoreTestSupport
import Testing

@Suite("kvtool export")
struct ExportTests {
    @Test("writes what import reads: a round trip reproduces the input")
    func roundTrip() throws {
        let people = Array(People(count: 300, seed: 7))
        let first = try SampleDatabase(lines: people)
        let exported = try first.run("export").success()
        #expect(exported.lines == people)
        let second = try SampleDatabase()
        try second.run("import", "-", stdin: exported.standardOutput).success()
        #expect(try second.run("export").success().standardOutput == exported.standardOutput)
    }

    /// Lines that a round trip reproduces.
    static let stable = [
        #"{"_id":"a"}"#,
        #"{"_id":"a","":0}"#,
        #"{"_id":"a","x":[],"y":{},"z":[[],{}]}"#,
        #"{"_id":"a","x":[0,1,-1,2047,2048,-2048,-2049,255,256,65535,65536]}"#,
        #"{"_id":"a","x":[9223372036854775807,-9223372036854775808,18446744073709551615]}"#,
        #"{"_id":"a","x":[0.1,0.2,1.5,-0.0,5e-324,1e+308,1.7976931348623157e+308,1e+16]}"#,
        #"{"_id":"a","x":[true,false,null]}"#,
        #"{"_id":"a","x":"\"\\/\n\r\t\u0000\u0001\u001f\u007f"}"#,
        #"{"_id":"a","x":"é 日本 😀 e\#u{301} \#u{2028}\#u{FFFF}\#u{10FFFF}"}"#,
        #"{"_id":"a","key with spaces and more than 16 bytes":1,"q\"":2,"é":3}"#,
        #"{"_id":"a","_attachments":{"_rev":1,"_id":2},"_other":3}"#,
        #"{"_id":"a","@type":"blob"}"#,
        #"{"_id":"é\"\\日","n":1}"#,
    ]

    @Test("preserves every value", arguments: stable)
    func values(_ line: String) throws {
        let database = try SampleDatabase(lines: [line])
        #expect(try database.exported() == [line])
        // Foundation must parse it to the same JSON.
        let before = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary
        let after =
            try JSONSerialization.jsonObject(
                with: try database.run("export").standardOutput) as? NSDictionary
        #expect(before == after)
    }

    @Test("preserves 100 levels of nesting")
    func depth() throws {
        let array = String(repeating: "[", count: 99) + "1" + String(repeating: "]", count: 99)
        let line = #"{"_id":"a","x":\#(array)}"#
        #expect(try SampleDatabase(lines: [line]).exported() == [line])
    }

    @Test("preserves more keys than can be shared")
    func manyKeys() throws {
        let pairs = (0..<3000).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
        let line = #"{"_id":"a",\#(pairs)}"#
        let database = try SampleDatabase(lines: [line, #"{"_id":"b","k2999":1,"k0":2}"#])
        let exported = try database.exported()
        let object = try JSONSerialization.jsonObject(with: Data(exported[0].utf8)) as? NSDictionary
        #expect(
            object == (try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary))
        let last = try JSONSerialization.jsonObject(with: Data(exported[1].utf8)) as? NSDictionary
        #expect(last == ["_id": "b", "k2999": 1, "k0": 2])
        #expect(try database.run("info").success().stdout.contains("2048 of 2048"))
    }

    @Test("omits deleted documents, and writes nothing for an empty collection")
    func deleted() throws {
        let database = try SampleDatabase(lines: [#"{"_id":"a"}"#])
        try database.run("rm", "a").success()
        #expect(try database.run("export").success().stdout == "")
    }

    @Test("the last of two properties of the same name counts, as in most JSON readers")
    func duplicateKeys() throws {
        let database = try SampleDatabase(lines: [#"{"_id":"a","k":1,"x":{"y":1,"y":2},"k":3}"#])
        let exported = try #require(try database.exported().first)
        let object = try JSONSerialization.jsonObject(with: Data(exported.utf8)) as? NSDictionary
        #expect(object == ["_id": "a", "k": 3, "x": ["y": 2]])
        #expect(exported.ranges(of: #""k""#).count == 1)
    }

    @Test(
        "reports in one line that its output cannot be written",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full"))
    func fullDisk() throws {
        let database = try SampleDatabase(people: 300)
        for command in [
            #"export "$1""#, #"ls "$1""#, #"info "$1""#, #"cat "$1" person-0001"#, "generate",
        ] {
            let outcome = try Kvtool.shell(#""$KVTOOL" \#(command) > /dev/full"#, [database.path])
            let complaint = outcome.refusal(status: 1)
            #expect(complaint.hasPrefix("standard output cannot be written: "), "\(command)")
        }
    }

    @Test("ends without an error when the reader closes the pipe")
    func brokenPipe() throws {
        let database = try SampleDatabase(people: 1000)
        let outcome = try Kvtool.shell(#""$KVTOOL" export "$1" | head -n 1"#, [database.path])
        #expect(outcome.success().stdout == (People(count: 1).first { _ in true } ?? "") + "\n")
    }
}
