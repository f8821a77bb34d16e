import ProjectTestSupport
import ServerStore
import StoreTestSupport
import Testing

@Suite("Groups of the original's servers, field by field", .enabled(if: GoldenFiles.arePresent))
struct OriginalGroupTests {
    private let asked: AskedTwice

    init() throws {
        asked = try AskedTwice(ServerLists.golden("TestServers.json"))
    }

    private func group(
        _ kind: ServerGroupInfo.Kind, _ count: Int, cities: Int = 1,
        tiers: ClosedRange<Int> = 2...2, all: Int = 0, any: Int = 0, at place: (Double, Double),
        isVirtual: Bool = false, isDown: Bool = false, _ protocols: ProtocolSupport = .all
    ) -> ServerGroupInfo {
        ServerGroupInfo(
            kind: kind, featureIntersection: ServerFeature(rawValue: all),
            featureUnion: ServerFeature(rawValue: any), minTier: tiers.lowerBound,
            maxTier: tiers.upperBound, serverCount: count, cityCount: cities, latitude: place.0,
            longitude: place.1, supportsSmartRouting: isVirtual, hasSmartRouting: isVirtual,
            isUnderMaintenance: isDown, protocolSupport: protocols)
    }

    /// Compares all fields; degrees are sums of numbers that are not exact.
    private func check(_ groups: [ServerGroupInfo], _ expected: [ServerGroupInfo]) {
        #expect(groups.map(\.kind) == expected.map(\.kind))
        for (one, other) in zip(groups, expected) {
            #expect(abs(one.latitude - other.latitude) < 1e-9, "\(one.kind)")
            #expect(abs(one.longitude - other.longitude) < 1e-9, "\(one.kind)")
            var group = one
            (group.latitude, group.longitude) = (other.latitude, other.longitude)
            #expect(group == other)
        }
    }

    private var gateways: [ServerGroupInfo] {
        [
            group(
                .gateway(name: "Mega Gateway 1000"), 2, cities: 2, all: 32, any: 32,
                at: (38.28, 140.46)),
            group(.gateway(name: "Mega Gateway 2000"), 1, all: 32, any: 32, at: (38.28, 140.46)),
        ]
    }

    @Test("standard servers")
    func standard() throws {
        let tokyo = (38.28 * 3 + 35.65, 140.46 * 3 + 139.83)
        let countries = [
            group(.country(code: "CA"), 3, cities: 2, tiers: 0...2, at: (43.6329, -79.3611)),
            group(
                .country(code: "DE"), 2, all: 14, any: 14, at: (40.73, -73.93),
                [.ikev2, .wireGuardTLS]),
            group(.country(code: "HK"), 1, at: (22.358535, 114.142271)),
            group(
                .country(code: "IR"), 1, all: 14, any: 14, at: (35.72, 51.40), isDown: true,
                .wireGuardTLS),
            group(
                .country(code: "JP"), 4, tiers: 0...2, any: 6, at: (tokyo.0 / 4, tokyo.1 / 4)),
            group(
                .country(code: "KR"), 1, tiers: 0...0, all: 12, any: 12, at: (37.546, 126.999),
                isVirtual: true),
            group(.country(code: "AE"), 1, at: (43.6329, -79.3611)),
            group(.country(code: "US"), 2, any: 14, at: (40.73, -73.93)),
        ]
        check(try asked.groups([.features(.standard)]), gateways + countries)
        let codes: [String?] = [nil, nil, "AE", "CA", "DE", "HK", "IR", "JP", "KR", "US"]
        let byCode = try asked.groups([.features(.standard)], by: .exitCountryCodeAscending)
        #expect(byCode.map(\.kind.countryCode) == codes)
    }

    @Test("secure core")
    func secureCore() throws {
        let place = ((43.6329 + 49.6329 + 64.6329) / 3, (-79.3611 - 70.3611 - 45.3617) / 3)
        check(
            try asked.groups([.features(.secureCore)]),
            [group(.country(code: "CA"), 3, cities: 0, all: 1, any: 1, at: place)])
    }

    @Test("gateways")
    func gatewaysAlone() throws {
        check(try asked.groups([.kind(.gateway())]), gateways)
        check(try asked.groups([.features(.standard(with: .restricted))]), gateways)
        check(try asked.groups([.kind(.gateway("Mega Gateway 2000"))]), [gateways[1]])
    }

    @Test("cities, also those of gateways")
    func cities() throws {
        let groups = try asked.groups([.features(.standard)], of: .cityName)
        #expect(
            groups.map(\.kind) == [
                .city(name: "Tokyo", code: "CA"), .city(name: "Toronto", code: "CA"),
                .city(name: "Vancouver", code: "CA"), .city(name: "Berlin", code: "DE"),
                .city(name: "Hong Kong", code: "HK"), .city(name: "Tehran", code: "IR"),
                .country(code: "JP"), .city(name: "Tokyo", code: "JP"),
                .city(name: "Seoul", code: "KR"), .city(name: "Geneva", code: "CH"),
                .city(name: "Abu Dhabi", code: "AE"), .city(name: "California", code: "US"),
                .city(name: "New York City", code: "US"),
            ])
        #expect(groups.map(\.serverCount) == [1, 1, 2, 2, 1, 1, 1, 3, 1, 1, 1, 1, 2])
        for group in groups {
            guard case .city(let name, let code) = group.kind else { continue }
            let found = try asked.servers([.kind(.city(name: name, code: code))])
            #expect(found.count == group.serverCount)
        }
    }

    @Test(
        "filters come before groups",
        arguments: [
            ([.maxTier(0)], "CA 1, JP 1, KR 1"),
            ([.features(.p2p)], "DE 2, IR 1, JP 1, KR 1, US 1"),
            ([.features(.tor), .isNotUnderMaintenance], "DE 2, JP 1, US 1"),
            (
                [.supports(.ikev2), .kind(.country()), .maxTier(2)],
                "CA 5, DE 1, HK 1, JP 2, KR 1, AE 1, US 2"
            ),
            ([.supports(.wireGuardTLS), .features(.p2p)], "DE 1, IR 1, KR 1, US 1"),
            ([.exitCountryCodes(["US", "ZZ"]), .kind(.country())], "US 2"),
            ([.maxTier(-1)], ""),
        ] as [([VPNServerFilter], String)])
    func filtered(filters: [VPNServerFilter], finds: String) throws {
        let groups = try asked.groups(filters)
        let texts = groups.map { "\($0.kind.countryCode ?? "-") \($0.serverCount)" }
        #expect(texts.joined(separator: ", ") == finds)
    }
}
