import SQLCore
import DocumentStore
import Foundation
import StoreTestSupport
import Testing

@testable import OONIStore

@Suite("Import of databases of OONI Probe")
struct ImportTests {
    private let store: OONIStore
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        store = try OONIStore.inMemory()
    }

    private func lines(_ store: OONIStore) throws -> [String] {
        var lines: [String] = []
        try store.export { lines.append($0) }
        return lines
    }

    private func result(_ number: Int64) throws -> OONIStore.TestResult {
        try #require(try store.read { try store.results.get(.init(number), in: $0) })
    }

    private func measurement(_ result: Int64, _ number: Int64) throws -> OONIStore.Measurement {
        try #require(
            try store.read { try store.measurements.get(.init(.init(result), number), in: $0) })
    }

    @Test("Every version from 5 to 21 with the same rows becomes the same store")
    func versions() throws {
        let oldest = try store.importProbe(path: ProbeFixture(in: directory, version: 5).path)
        let expected = try lines(store)
        #expect(expected.count == 1 + 2 + 3 + 2 + 4 + 6)
        for version in 6...21 {
            let other = try OONIStore.inMemory()
            var report = try other.importProbe(
                path: ProbeFixture(in: directory, version: version).path)
            #expect(try lines(other) == expected, "version \(version)")
            #expect(report.version == version)
            if version < 17 { #expect(report.rows[.articles] == 0) }
            report.version = 5
            #expect(report == oldest, "version \(version)")
        }
    }

    @Test("Results keep their numbers, and NULL is false, none, or nothing")
    func results() throws {
        try store.importProbe(path: ProbeFixture(in: directory, version: 5).path)
        let websites = try result(3)
        #expect(websites.descriptor == .init(name: "websites"))
        #expect(websites.startTime == .init(milliseconds: 1_700_000_100_000))
        #expect(websites.isViewed && websites.isDone)
        #expect([websites.dataUsageUpKiB, websites.dataUsageDownKiB] == [12, 345])
        #expect(websites.networkID == .init(2))
        #expect(websites.taskOrigin == .ooniRun)
        #expect(websites.counts.measurements == 2)
        #expect(websites.counts.uploadFailed == 1)
        let link = try result(4)
        #expect(link.descriptor == .init(key: .init("10004", revision: 0)))
        #expect([link.dataUsageUpKiB, link.dataUsageDownKiB] == [0, 0])
        #expect(link.failureMessage == "a\nb")
        #expect(link.networkID == .init(3))
        let performance = try result(5)
        #expect(!performance.isViewed && !performance.isDone)
        #expect(performance.networkID == .init(2))
        #expect(performance.counts.notUploaded == 2)
        #expect(try result(7).networkID == nil)
        #expect(try result(7).descriptor.filterKey == "777")
        try store.read { (snapshot) throws in
            #expect(try store.verify(in: snapshot) == [])
            #expect(try store.networks.all(in: snapshot).map(\.id.number) == [2, 3, 8])
        }
    }

    @Test("Measurements refer to websites by their address; only those of performance have keys")
    func measurements() throws {
        try store.importProbe(path: ProbeFixture(in: directory, version: 5).path)
        let first = try measurement(3, 10)
        #expect(first.url == "https://one.example/")
        #expect(first.isUploaded && first.isAnomaly)
        #expect(first.testKeys == nil)
        #expect(first.runtimeSeconds == 1.5)
        #expect(first.reportID == "r1")
        let second = try measurement(3, 11)
        #expect(second.url == first.url)
        #expect(second.uploadFailureMessage == "no way")
        #expect(second.isRerun && !second.isUploaded && !second.isFailed)
        #expect(
            second.rerunNetwork
                == .init(name: "Net", asn: "AS1", countryCode: "FR", type: .vpn))
        let speed = try measurement(5, 12)
        #expect(speed.testKeys == .init(summary: .init(upload: 1.25, download: 20, ping: 30)))
        #expect(speed.rerunNetwork == nil)
        #expect(try measurement(5, 13).testKeys == nil)
        #expect(try measurement(5, 14).startTime == result(5).startTime)
        #expect(try !measurement(4, 15).testName.isKnown)
        try store.read { (snapshot) throws in
            #expect(
                try store.urls.all(in: snapshot) == [
                    .init("https://one.example/", category: .news, countryCode: "IT"),
                    .init("https://two.example/", category: .humanRights),
                ])
        }
    }

    @Test("The report lists what cannot be read, and nothing else is left out")
    func problems() throws {
        let report = try store.importProbe(path: ProbeFixture(in: directory, version: 21).path)
        #expect(
            report.rows == [
                .descriptors: 2, .networks: 5, .urls: 5, .results: 5, .measurements: 10,
                .articles: 0,
            ])
        #expect(
            report.problems.map(\.description) == [
                "TestDescriptor 10005/0: name_intl is not an object",
                "Url 4: it has no address; left out",
                "Result 6: start_time is not a time; left out",
                "Result 7: there is no network 99",
                "Measurement 14: start_time is not a time; that of its result is used",
                report.problems[5].description,
                "Measurement 14: rerun_network cannot be read: it is not an object",
                "Measurement 15: there is no website 88",
                "Measurement 16: test_name is NULL; left out",
                "Measurement 17: result_id is NULL; left out",
                "Measurement 18: there is no result 50, or it was left out; left out",
                "Measurement 19: there is no result 6, or it was left out; left out",
            ])
        #expect(
            report.problems[5].description.hasPrefix("Measurement 14: test_keys cannot be read: "))
        #expect(report.leftOut(.measurements) == 4)
        #expect(report.renumberedResults.isEmpty && report.renumberedMeasurements.isEmpty)
    }

    @Test("Numbers that the database has given are not given again, even of what is gone")
    func numbers() throws {
        try store.importProbe(path: ProbeFixture(in: directory, version: 12).path)
        try store.write { (transaction) throws in
            let result = try store.results.insert(
                .init(name: "websites"), at: .init(milliseconds: 0), in: transaction)
            #expect(result.id == .init(8))
            let measurement = try store.measurements.insert(
                .tor, of: result.id, at: .init(milliseconds: 0), in: transaction)
            #expect(measurement.id.number == 41)
        }
    }

    @Test("In a filled store numbers are mapped, networks and websites merged, revisions unchanged")
    func filled() throws {
        try store.write { (transaction) throws in
            var known = OONIStore.TestDescriptor(runID: "10004", revision: 0, name: "Mine")
            known.rejectedRevision = 9
            try store.descriptors.save([known], in: transaction)
            try store.urls.register(
                .init("https://two.example/", category: .gaming, countryCode: "FR"),
                in: transaction)
            _ = try store.networks.register(
                .init(name: "Net", asn: "AS1234", countryCode: "DE", type: .wifi),
                in: transaction)
            for _ in 1...5 {
                _ = try store.results.insert(
                    .init(name: "websites"), at: .init(milliseconds: 5), in: transaction)
            }
        }
        let report = try store.importProbe(path: ProbeFixture(in: directory, version: 9).path)
        // The numbers up to 5 are taken; 7 is free, and what is new comes behind it.
        #expect(report.renumberedResults == [3: .init(8), 4: .init(9), 5: .init(10)])
        #expect(report.renumberedMeasurements.isEmpty)
        #expect(try result(8).counts.measurements == 2)
        #expect(try measurement(8, 10).url == "https://one.example/")
        #expect(try result(8).networkID == .init(1))
        #expect(try result(7).startTime == .init(milliseconds: 1_700_000_400_000))
        try store.read { (snapshot) throws in
            #expect(try store.verify(in: snapshot) == [])
            #expect(try store.networks.all(in: snapshot).map(\.id.number) == [1, 3, 8])
            let kept = try store.descriptors.latest("10004", in: snapshot)
            #expect(kept?.name == "Mine")
            #expect(
                try store.urls.get("https://two.example/", in: snapshot)
                    == .init("https://two.example/", category: .humanRights, countryCode: "FR"))
        }
        let again = try store.importProbe(path: ProbeFixture(in: directory, version: 9).path)
        #expect(again.renumberedResults.count == 4 && again.renumberedMeasurements.count == 6)
        #expect(try store.read { try store.verify(in: $0) } == [])
        #expect(try store.read { try store.results.collection.count(in: $0).live } == 13)
    }

    @Test("What newer versions have beside is read too")
    func newerColumns() throws {
        let fixture = try ProbeFixture(in: directory, version: 21)
        try fixture.exec(
            """
            UPDATE Result SET run_id = 'internal_run_1', task_origin = 'autorun',
                descriptor_runId = '00104', descriptor_revision = 1 WHERE id = 3;
            UPDATE Measurement SET uid = 'u1', verification_status = 'Verified' WHERE id = 10;
            UPDATE Measurement SET verification_status = 'Unknown' WHERE id = 11;
            UPDATE TestDescriptor SET date_installed = 5, rejected_revision = 3
                WHERE runId = '10004';
            INSERT INTO TestDescriptor (runId, revision, name, nettests)
            VALUES ('10004', 2, 'Newer', '[]'), ('10 4', 2, 'Bad', '[]');
            INSERT INTO Article VALUES ('https://a.example', 'A', 'finding', NULL, NULL, 77),
                ('https://b.example', NULL, 'blog', NULL, NULL, 78);
            """)
        let report = try store.importProbe(path: fixture.path)
        let run = try result(3)
        #expect(run.runID == "internal_run_1" && run.taskOrigin == .autorun)
        #expect(run.descriptor == .init(name: "websites", key: .init("00104", revision: 1)))
        #expect(try measurement(3, 10).uid == "u1")
        #expect(try measurement(3, 10).verificationStatus == .verified)
        #expect(try measurement(3, 11).verificationStatus == nil)
        try store.read { (snapshot) throws in
            let revisions = try store.descriptors.revisions("10004", in: snapshot)
            #expect(revisions.map(\.name) == ["Festival", "Newer"])
            #expect(revisions[0].nettests == nil && revisions[1].nettests == [])
            #expect(revisions[0].dateInstalled == .init(milliseconds: 5))
            #expect(revisions[0].rejectedRevision == 3)
            #expect(revisions[0].nameByLanguage == ["pt_BR": "Festa", "de": "Fest"])
            #expect(try store.articles.all(in: snapshot).map(\.source) == [.finding])
            #expect(try store.verify(in: snapshot) == [])
        }
        #expect(report.leftOut(.descriptors) == 1 && report.leftOut(.articles) == 1)
    }

    @Test("What an app that runs has committed is read, also from its log, and nothing else")
    func running() throws {
        let fixture = try ProbeFixture(in: directory, version: 21)
        let app = try SQLContext(path: fixture.path)
        _ = try app.setPragma("journal_mode", to: .text("wal"))
        try app.exec(sql: "UPDATE Result SET data_usage_up = 77 WHERE id = 3")
        try app.exec(sql: "BEGIN; UPDATE Result SET data_usage_up = 78 WHERE id = 3")
        try store.importProbe(path: fixture.path)
        #expect(try result(3).dataUsageUpKiB == 77)
        try app.exec(sql: "COMMIT")
        let rows = try app.selectAll(sql: "SELECT count(*) FROM Measurement")
        #expect(rows == [[.long(10)]])
        try app.close()
    }

    @Test("An invalid value of a column is reported, and counts as NULL")
    func unreadableColumns() throws {
        let fixture = try ProbeFixture(in: directory, version: 21)
        try fixture.exec(
            """
            DELETE FROM Measurement WHERE id <> 10;
            DELETE FROM Result WHERE id <> 3;
            DELETE FROM TestDescriptor;
            INSERT INTO TestDescriptor (runId, revision, name, auto_update, expiration_date)
                VALUES ('10009', 0, 'm', 1, NULL), ('10009', 'abc', 'n', 1, NULL),
                    ('10010', 'abc', 'n', 1, 'soon');
            UPDATE Result SET is_viewed = 'maybe', data_usage_up = 'x', network_id = 'home';
            UPDATE Measurement SET is_done = 'yes', runtime = 'abc', url_id = x'00';
            """)
        let report = try store.importProbe(path: fixture.path)
        let problems = report.problems.map(\.description).filter { !$0.hasPrefix("Url") }
        #expect(
            problems == [
                "TestDescriptor 10009/0: a row before it has that link and revision; left out",
                "TestDescriptor 10010/0: revision cannot be read, and counts as NULL",
                "TestDescriptor 10010/0: expiration_date cannot be read, and counts as NULL",
                "Result 3: is_viewed cannot be read, and counts as NULL",
                "Result 3: data_usage_up cannot be read, and counts as NULL",
                "Result 3: network_id cannot be read, and counts as NULL",
                "Measurement 10: runtime cannot be read, and counts as NULL",
                "Measurement 10: is_done cannot be read, and counts as NULL",
                "Measurement 10: url_id cannot be read, and counts as NULL",
            ])
    }

    @Test("Dates and amounts far away stop nothing")
    func farAway() throws {
        let fixture = try ProbeFixture(in: directory, version: 21)
        try fixture.exec(
            """
            UPDATE Result SET start_time = -9223372036854775808, data_usage_up = -1,
                data_usage_down = 9223372036854775807;
            UPDATE Measurement SET start_time = 9223372036854775807, runtime = 9e999;
            UPDATE TestDescriptor SET date_installed = -9223372036854775808,
                expiration_date = 9223372036854775807, date_updated = 'soon';
            """)
        let report = try store.importProbe(path: fixture.path)
        #expect(report.problems.count { $0.reason.hasPrefix("data_usage_") } == 10)
        #expect(report.leftOut(.results) == 0)
        #expect(try result(3).startTime == .init(milliseconds: .min))
        #expect(try measurement(3, 10).runtimeSeconds == nil)
        try store.read { (snapshot) throws in
            let now = OONIStore.Instant(milliseconds: 0)
            let sorted = try store.descriptors.sorted(at: now, in: snapshot)
            #expect(sorted.map(\.runID) == ["10004", "10005"])
            #expect(sorted[0].dateUpdated == nil)
            #expect(try store.results.totals(in: snapshot).dataUsageDownKiB == 0)
        }
        let other = try OONIStore.inMemory()
        try other.importLines(lines(store))
        #expect(try lines(other) == lines(store))
    }

    @Test("A revision that version 5 has is imported, for its results, too")
    func oldRevision() throws {
        let fixture = try ProbeFixture(in: directory, version: 5)
        try fixture.exec("UPDATE TestDescriptor SET revision = '4' WHERE runId = 10004")
        try store.importProbe(path: fixture.path)
        #expect(try result(4).descriptor.key == .init("10004", revision: 4))
        let descriptor = try store.read { (snapshot) throws in
            try store.descriptors.get(.init("10004", revision: 4), in: snapshot)
        }
        #expect(descriptor?.nettests?.map(\.testName) == [.webConnectivity, .tor])
        #expect(descriptor?.nettests?.last?.otherJSON == #"{"options":{"a":[1,null]}}"#)
    }
}
