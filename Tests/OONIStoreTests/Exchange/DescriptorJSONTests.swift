import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

import OONIStore

@Suite("Descriptors as JSON")
struct DescriptorJSONTests {
    private static let whole = #"""
        {"oonirun_link_id": "10004", "name": "Festival", "short_description": "Sites",
         "description": "Of a *festival*", "author": "me@example.org",
         "nettests": [
           {"test_name": "web_connectivity", "inputs": ["https://one.example/"],
            "is_background_run_enabled_default": true, "targets_name": "t", "options": {"b": 1.5},
            "inputs_extra": [{"category_code": "NEWS"}]},
           {"test_name": "something_new", "inputs": null}],
         "name_intl": {"de": "Fest", "fr": null}, "short_description_intl": null, "icon": "FaStar",
         "color": "#00ff7f", "expiration_date": "2031-02-03T04:05:06.789123Z",
         "date_created": "2024-11-06T14:58:41.000000Z",
         "date_updated": "2024-11-06T15:58:41.250+01:00", "revision": "3", "is_mine": false,
         "is_expired": false}
        """#

    @Test("An object of the API gives all its fields")
    func object() throws {
        let read = try OONIStore.TestDescriptor.read(json: Self.whole)
        #expect(read.problems == [])
        let descriptor = try #require(read.descriptors.first)
        #expect(descriptor.key == .init("10004", revision: 3))
        #expect(descriptor.name == "Festival" && descriptor.shortDescription == "Sites")
        #expect(descriptor.description == "Of a *festival*")
        #expect(descriptor.author == "me@example.org")
        #expect(descriptor.nameByLanguage == ["de": "Fest"])
        #expect(descriptor.shortDescriptionByLanguage == [:])
        #expect(descriptor.descriptionByLanguage == [:])
        #expect(descriptor.icon == "FaStar" && descriptor.color == "#00ff7f")
        #expect(descriptor.animation == nil)
        #expect(descriptor.expirationDate == .init(milliseconds: 1_927_857_906_789))
        #expect(descriptor.dateCreated == .init(milliseconds: 1_730_905_121_000))
        #expect(descriptor.dateUpdated == .init(milliseconds: 1_730_905_121_250))
        #expect(descriptor.isAutoUpdated && descriptor.dateInstalled == nil)
        #expect(
            descriptor.nettests == [
                .init(
                    .webConnectivity, inputs: ["https://one.example/"],
                    otherJSON: #"{"inputs_extra":[{"category_code":"NEWS"}],"#
                        + #""is_background_run_enabled_default":true,"options":{"b":1.5},"#
                        + #""targets_name":"t"}"#),
                .init(.init(rawValue: "something_new")),
            ])
    }

    @Test("Numbers of links and revisions may be numbers")
    func numbers() throws {
        let json = #"{"oonirun_link_id": 10004, "name": "n", "nettests": [], "revision": 12}"#
        let read = try OONIStore.TestDescriptor.read(json: json)
        #expect(read.descriptors.map(\.key) == [.init("10004", revision: 12)])
    }

    @Test(
        "The descriptors that the app brings can be read and stored",
        .enabled(if: GoldenFiles.arePresent))
    func bundled() throws {
        let json = try String(
            contentsOfFile: GoldenFiles.file("ooni/descriptors.json"), encoding: .utf8)
        let read = try OONIStore.TestDescriptor.read(json: json)
        #expect(read.problems == [])
        #expect(read.descriptors.map(\.defaultCard) == OONIStore.DefaultCard.allCases)
        #expect(read.descriptors.map { $0.nameByLanguage.count } == [25, 25, 25, 25, 25])
        #expect(read.descriptors.map { $0.nettests?.count } == [1, 4, 2, 4, 3])
        #expect(
            read.descriptors.allSatisfy { $0.expirationDate?.milliseconds == 64_060_588_800_000 })
        let store = try OONIStore.inMemory()
        try store.write { try store.descriptors.save(read.descriptors, in: $0) }
        #expect(try store.read { try store.descriptors.all(in: $0) } == read.descriptors)
    }

    @Test("What a descriptor can do without is noted if it is wrong")
    func problems() throws {
        let json = #"""
            [{"oonirun_link_id": "1", "name": "n", "nettests": [], "revision": "0",
              "author": 5, "name_intl": [1], "description_intl": {"de": 2, "it": "i"},
              "date_created": "yesterday"},
             {"oonirun_link_id": "1", "name": "again", "nettests": [], "revision": "0"}]
            """#
        let read = try OONIStore.TestDescriptor.read(json: json)
        #expect(read.descriptors.map(\.name) == ["n"])
        #expect(read.descriptors[0].descriptionByLanguage == ["it": "i"])
        #expect(
            read.problems == [
                "[0].author is not a string", "[0].name_intl is not an object",
                "[0].description_intl.de is not a string", "[0].date_created is not a date",
                "[1].revision is 0 of 1, as an earlier one's; the earlier one is used",
            ])
    }

    @Test(
        "What is wrong with the rest is an error that names the field",
        arguments: [
            ("", "the descriptor is not JSON"), ("{", "the descriptor is not JSON"),
            ("5", "the descriptor is not JSON: an object or array must come first"),
            ("[{}, 5]", "[0].oonirun_link_id is missing"),
            ("[5]", "[0] is not an object"),
            (#"{"oonirun_link_id": true}"#, "oonirun_link_id is neither"),
            (#"{"oonirun_link_id": "1"}"#, "revision is missing"),
            (#"{"oonirun_link_id": "1", "revision": "x"}"#, "revision is not a whole number"),
            (#"{"oonirun_link_id": "1", "revision": -1}"#, "revision is not a whole number"),
            (#"{"oonirun_link_id": "1", "revision": 1.5}"#, "revision is not a whole number"),
            (#"{"oonirun_link_id": "1", "revision": 1, "name": null}"#, "name is missing"),
            (#"{"oonirun_link_id": "1", "revision": 1, "name": 1}"#, "name is not a string"),
            (#"{"oonirun_link_id": "1", "revision": 1, "name": "n"}"#, "nettests is missing"),
            (
                #"{"oonirun_link_id": "1", "revision": 1, "name": "n", "nettests": {}}"#,
                "nettests is not an array"
            ),
            (
                #"{"oonirun_link_id": "1", "revision": 1, "name": "n", "nettests": [{}]}"#,
                "nettests[0].test_name is not a string"
            ),
            (
                #"{"oonirun_link_id": "1", "revision": 1, "name": "n", "#
                    + #""nettests": [{"test_name": "tor", "inputs": ["a", 1]}]}"#,
                "nettests[0].inputs[1] is not a string"
            ),
            (
                #"{"oonirun_link_id": "a/b", "revision": 1, "name": "n", "nettests": []}"#,
                "oonirun_link_id is not a link's number"
            ),
        ])
    func errors(json: String, says: String) throws {
        let error = #expect(throws: OONIStoreError.self) {
            try OONIStore.TestDescriptor.read(json: json)
        }
        #expect(error?.code == .invalidDescriptor)
        #expect(error?.message.hasPrefix(says) == true, "\(error?.message ?? "")")
    }

    @Test("revisions are numbers or strings of digits; others are reported")
    func revisions() throws {
        let json =
            #"{"oonirun_link_id": "1", "revision": 3, "name": "n", "nettests": [], "#
            + #""revisions": ["3", 2, "x", -1, 1.5]}"#
        let read = try OONIStore.TestDescriptor.read(json: json)
        #expect(read.descriptors.first?.revisions == [3, 2])
        #expect(
            read.problems == [
                "revisions[2] is not a whole number of 0 or more",
                "revisions[3] is not a whole number of 0 or more",
                "revisions[4] is not a whole number of 0 or more",
            ])
    }
}
