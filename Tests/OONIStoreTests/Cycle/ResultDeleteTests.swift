import DocumentStore
import Testing

@testable import OONIStore

@Suite("What deletions remove and return")
struct ResultDeleteTests {
    private let store: OONIStore
    private let networks: [OONIStore.Network.ID]

    /// Results 1 to 3: the first two in the first network, the third in the second one.
    init() throws {
        store = try OONIStore.inMemory()
        networks = [try store.join("AS1"), try store.join("AS2")]
        for (time, network) in [(1, 0), (2, 0), (3, 1)] {
            let result = try store.begin(
                time == 2 ? "performance" : "websites", at: Int64(time), network: networks[network])
            try store.measure(of: result.id, url: "https://example.org/")
            try store.measure(.ndt, of: result.id)
            try store.measure(of: result.id, url: "https://example.com/")
        }
    }

    private func left() throws -> [[Int64]] {
        try store.read { snapshot in
            [
                try store.results.ids(in: snapshot).map(\.number).sorted(),
                try store.measurements.all(in: snapshot).map(\.id.number),
                try store.networks.all(in: snapshot).map(\.id.number),
            ]
        }
    }

    @Test("by numbers: the measurements go, files are named once, a network stays while it is used")
    func byNumbers() throws {
        let deleted = try store.write {
            try store.results.delete([.init(1), .init(99), .init(1)], in: $0)
        }
        #expect(deleted.results == [.init(1)])
        #expect(deleted.measurements.map(\.number) == [1, 2, 3])
        #expect(deleted.networks == [])
        #expect(
            deleted.fileNames.sorted() == [
                "Measurement/1_ndt.log", "Measurement/1_web_connectivity.json",
                "Measurement/1_web_connectivity.log", "Measurement/2_ndt.json",
                "Measurement/3_web_connectivity.json",
            ])
        #expect(try left() == [[2, 3], [4, 5, 6, 7, 8, 9], [1, 2]])
        let next = try store.write { try store.results.delete([.init(2)], in: $0) }
        #expect(next.networks == [networks[0]])
        #expect(try left() == [[3], [7, 8, 9], [2]])
        #expect(try store.read { try store.urls.all(in: $0) }.count == 2)
        #expect(try store.read { try store.verify(in: $0) } == [])
    }

    @Test("by filter: what the filter finds, the newest first, and no other")
    func byFilter() throws {
        let deleted = try store.write {
            try store.results.delete(.init(descriptors: ["websites"]), in: $0)
        }
        #expect(deleted.results.map(\.number) == [3, 1])
        #expect(deleted.networks == [networks[1]])
        #expect(try left() == [[2], [4, 5, 6], [1]])
        let none = try store.write { try store.results.delete(.init(networks: []), in: $0) }
        #expect(none == .init())
        #expect(try left() == [[2], [4, 5, 6], [1]])
    }

    @Test("all: websites and descriptors stay")
    func all() throws {
        try store.install("10004", 1)
        let deleted = try store.write { try store.results.delete(.all, in: $0) }
        #expect(deleted.results.count == 3 && deleted.measurements.count == 9)
        #expect(deleted.networks == networks)
        #expect(try left() == [[], [], []])
        #expect(try store.read { try store.urls.all(in: $0) }.count == 2)
        #expect(try store.read { try store.descriptors.all(in: $0) }.count == 1)
        #expect(try store.read { try store.results.totals(in: $0) } == .init())
    }

    @Test("a descriptor goes with all revisions and all results, of any time")
    func descriptor() throws {
        try store.install("10004", 1)
        try store.install("10004", 2)
        try store.install("100044", 1)
        try store.begin(nil, key: .init("10004", revision: 1), at: -9_000_000_000_000)
        try store.begin(nil, key: .init("10004", revision: 2), at: 9_000_000_000_000)
        try store.begin(nil, key: .init("100044", revision: 1))
        let deleted = try store.write { try store.descriptors.delete("10004", in: $0) }
        #expect(deleted.results.map(\.number) == [5, 4])
        #expect(try store.listed() == [6, 3, 2, 1])
        #expect(try store.read { try store.descriptors.all(in: $0) }.map(\.runID) == ["100044"])
    }

    @Test("a descriptor can go without its results, which are shown with a placeholder then")
    func descriptorAlone() throws {
        try store.install("10004", 1)
        try store.install("10004", 2)
        try store.install("100044", 1)
        let result = try store.begin(nil, key: .init("10004", revision: 1))
        let before = try store.listed()
        let deleted = try store.write {
            try store.descriptors.deleteKeepingResults("10004", in: $0)
        }
        #expect(deleted == [.init("10004", revision: 1), .init("10004", revision: 2)])
        #expect(try store.listed() == before)
        try store.read { (snapshot) throws in
            #expect(try store.descriptors.all(in: snapshot).map(\.runID) == ["100044"])
            let shown = try store.descriptors.descriptor(of: result, in: snapshot)
            #expect(shown == .placeholder(.init(key: .init("10004", revision: 1))))
        }
        let again = try store.write {
            try store.descriptors.deleteKeepingResults("10004", in: $0)
        }
        #expect(again == [])
    }

    @Test("a default card goes with the results that know it by its name only")
    func card() throws {
        try store.install("00104", 1)
        try store.begin("websites", key: .init("00104", revision: 1), at: 9)
        let deleted = try store.write { try store.descriptors.delete("00104", in: $0) }
        #expect(deleted.results.map(\.number) == [4, 3, 1])
        #expect(try left() == [[2], [4, 5, 6], [1]])
    }

    @Test("numbers of what was deleted are never given again")
    func numbers() throws {
        _ = try store.write { try store.results.delete(.all, in: $0) }
        let again = store
        let result = try again.begin()
        #expect(result.id.number == 4)
        #expect(try again.measure(of: result.id).id.number == 10)
        #expect(try again.join("AS1").number == 3)
    }

    @Test("one measurement: its result counts it no more")
    func measurement() throws {
        let id = OONIStore.Measurement.ID(.init(1), 2)
        #expect(try store.write { try store.measurements.delete(id, in: $0) }.measurements == [id])
        #expect(try store.write { try store.measurements.delete(id, in: $0) } == .init())
        let counts = try store.read { try store.results.get(.init(1), in: $0) }?.counts
        #expect(counts?.measurements == 2 && counts?.done == 2 && counts?.notUploaded == 2)
        #expect(try store.read { try store.verify(in: $0) } == [])
    }

    @Test("no name of a test leads to a file of another directory")
    func fileNames() throws {
        let test = OONIStore.TestName(rawValue: "../../etc/x\\y\0z")
        try store.measure(test, of: .init(3))
        let measurement = try #require(
            try store.read { try store.measurements.all(in: $0) }.last)
        #expect(measurement.testName == test)
        #expect(measurement.reportFileName == "Measurement/10_.._.._etc_x_y_z.json")
        #expect(measurement.logFileName == "Measurement/3_.._.._etc_x_y_z.log")
    }

    @Test("what is thrown in a transaction takes a deletion back")
    func takenBack() throws {
        struct Mishap: Error {}
        let before = try left()
        #expect(throws: Mishap.self) {
            try store.write { transaction in
                _ = try store.results.delete(.all, in: transaction)
                throw Mishap()
            }
        }
        #expect(try left() == before)
        #expect(try store.read { try store.verify(in: $0) } == [])
    }
}
