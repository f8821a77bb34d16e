import Foundation
import SampleData
import ServerStore
import StoreTestSupport
import Testing

/// `STORE_FUZZ_INPUTS` says how many inputs there are of each kind, `STORE_SEED` where they begin.
@Suite("Damaged lists of servers")
struct ServerListFuzzTests {
    private let inputs = TestEnvironment.number("STORE_FUZZ_INPUTS", or: 2_000)
    private var random: SeededGenerator

    init() {
        let seed = TestEnvironment.number("STORE_SEED", or: 10)
        FileHandle.standardError.write(Data("ServerListFuzzTests: STORE_SEED=\(seed)\n".utf8))
        random = SeededGenerator(seed: UInt64(bitPattern: Int64(seed)))
    }

    /// What every list that is read must be: one that can be written.
    private func check(_ read: ServerListJSON.Servers, _ json: String) throws {
        let ids = read.servers.map(\.id)
        #expect(Set(ids).count == ids.count && !ids.contains(""), "\(json)")
        #expect(read.problems.allSatisfy { !$0.contains("\n") }, "\(json)")
        let text = try ServerListJSON.write(read.servers)
        #expect(try ServerListJSON.read(text).servers == read.servers, "\(json)")
    }

    @Test("a list with any bytes is read as far as it can be, or refused")
    mutating func bytes() throws {
        let whole = ResponseText.list(
            .server("a", .endpoint("e").with("EntryPerProtocol", #"{"IKEv2":{"Ports":[500]}}"#)),
            .server("b").with("Features", "1"))
        var refused = 0
        for _ in 0..<inputs {
            let bytes = mutated(Array(whole.utf8))
            let json = String(decoding: bytes, as: UTF8.self)
            do {
                let lenient = random.below(2) == 0
                let read = try ServerListJSON.read(Data(bytes), allowingTrailingCommas: lenient)
                try check(read, json)
                _ = try ServerListJSON.readLoads(Data(bytes), allowingTrailingCommas: lenient)
            } catch let error as ServerStoreError where error.code == .invalidJSON {
                refused += 1
                #expect(!error.message.contains("\n"), "\(json)")
            }
        }
        #expect(refused > 0 && refused < inputs)
    }

    @Test("a list with any values in its fields is read as far as it can be")
    mutating func values() throws {
        var complete = 0
        for _ in 0..<inputs {
            var endpoint = ResponseText.endpoint("e")
            damage(&endpoint)
            var server = ResponseText.server("a", endpoint, .endpoint("f"))
            damage(&server)
            let json = ResponseText.list(server, .server("last"))
            let read = try ServerListJSON.read(json)
            try check(read, json)
            #expect(read.servers.last?.id == "last" || read.servers.first?.id == "last", "\(json)")
            if read.servers.count == 2, read.problems == [] { complete += 1 }
            #expect(read.servers.count == 2 || read.problems != [], "\(json)")
            _ = try ServerListJSON.readLoads(json)
        }
        #expect(complete > 0 && complete < inputs)
    }

    private static let values = [
        "null", "true", "0", "-1", "1", "5", "32", "33", "100", "101", "1.5", "-0.0", "1e308",
        "-1e308", "1e-320", "9223372036854775807", "-9223372036854775808", "18446744073709551615",
        #""""#, #""last""#, #""e""#, #""\u0000""#, #""é\u2028""#, "[]", "{}", "[[]]",
        #"{"IKEv2":null,"":{"Ports":[1,"x"],"IPv4":5}}"#, #"{"Lat":1,"Long":"x"}"#,
        #"[{"ID":"e"},{"ID":"e","ExitIP":"1","Domain":"","Status":1}]"#, #"{"country":{}}"#,
        #"{"gateway":{"name":"G"}}"#, #"{"secureCore":{}}"#,
    ]

    /// Gives some fields other values, takes them away, or adds them again.
    private mutating func damage(_ object: inout ResponseText) {
        for _ in 0..<random.below(3) {
            let place = random.below(object.fields.count)
            switch random.below(8) {
            case 0: object.fields.remove(at: place)
            case 1: object.fields.append((object.fields[place].name, random.pick(Self.values)))
            case 2: object.fields.append(("Kind", random.pick(Self.values)))
            case 3: object.fields.append(("GatewayName", random.pick(Self.values)))
            default: object.fields[place].value = random.pick(Self.values)
            }
        }
    }

    private mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...random.below(2) {
            let place = random.below(bytes.count)
            switch random.below(4) {
            case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(random.pick(Array(",]}\"\\ ".utf8)), at: place)
            default: bytes[place] = random.pick(Array("0123456789\"{}[],:-e".utf8))
            }
        }
        return bytes
    }
}
