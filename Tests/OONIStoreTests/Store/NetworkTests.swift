import DocumentStore
import Testing

import OONIStore

@Suite("Networks")
struct NetworkTests {
    private let store: OONIStore

    init() throws {
        store = try OONIStore.inMemory()
    }

    private func register(_ details: OONIStore.NetworkDetails) throws -> Int64 {
        try store.write { try store.networks.register(details, in: $0) }.id.number
    }

    @Test("the same details are the same network, nothing being the same as nothing")
    func same() throws {
        let full = OONIStore.NetworkDetails(
            name: "Net", asn: "AS1", countryCode: "IT", type: .wiredEthernet)
        #expect(try register(full) == 1)
        #expect(try register(full) == 1)
        #expect(try register(.init()) == 2)
        #expect(try register(.init()) == 2)
        #expect(try register(.init(asn: "")) == 3)
        #expect(try register(.init(asn: "AS1")) == 4)
        #expect(try store.read { try store.networks.all(in: $0) }.first?.details == full)
        #expect(try store.read { try store.networks.latest(in: $0) }?.id.number == 4)
    }

    @Test("another value of any of the four is another network")
    func different() throws {
        let details: [OONIStore.NetworkDetails] = [
            .init(name: "N", asn: "AS1", countryCode: "IT", type: .wifi),
            .init(name: "M", asn: "AS1", countryCode: "IT", type: .wifi),
            .init(name: "N", asn: "AS2", countryCode: "IT", type: .wifi),
            .init(name: "N", asn: "AS1", countryCode: "DE", type: .wifi),
            .init(name: "N", asn: "AS1", countryCode: "IT", type: .vpn),
            .init(name: nil, asn: "AS1", countryCode: "IT", type: .wifi),
        ]
        #expect(try details.map(register) == [1, 2, 3, 4, 5, 6])
        #expect(try details.map(register) == [1, 2, 3, 4, 5, 6])
    }

    @Test("all types are known, and an unknown one is retained")
    func types() throws {
        for (number, word) in [
            "vpn", "wifi", "mobile", "wired_ethernet", "bluetooth", "usb", "no_internet", "pigeon",
        ].enumerated() {
            let id = try register(.init(type: .init(rawValue: word)))
            let type = try store.read { try store.networks.get(.init(id), in: $0) }?.details.type
            #expect(type?.rawValue == word && type?.isKnown == (number < 7))
        }
    }

    @Test("networks that no result was made in are removed, and their numbers are not given again")
    func unused() throws {
        let networks = [try store.join("AS1"), try store.join("AS2"), try store.join("AS3")]
        try store.begin(network: networks[1])
        try store.begin()
        let unused = try store.write { try store.networks.deleteUnused(in: $0) }
        #expect(unused == [networks[0], networks[2]])
        #expect(try store.write { try store.networks.deleteUnused(in: $0) } == [])
        #expect(try store.join("AS3").number == 4)
        #expect(try store.read { try store.networks.get(networks[0], in: $0) } == nil)
    }

    @Test("a look-up that found nothing is not a valid network")
    func valid() {
        #expect(OONIStore.NetworkDetails(asn: "AS1", countryCode: "IT").isValid)
        #expect(!OONIStore.NetworkDetails(asn: "AS0", countryCode: "IT").isValid)
        #expect(!OONIStore.NetworkDetails(asn: "AS1", countryCode: "ZZ").isValid)
        #expect(!OONIStore.NetworkDetails(asn: "AS1", countryCode: "XX").isValid)
    }
}
