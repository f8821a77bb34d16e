import SQLCore
import SQLTables
import StoreTestSupport

/// A database of OONI Probe of any version from 5 to 21 with a row of every kind, written with the
/// columns that the version has.
///
/// The tables are those of the app: version 5, taken through its migrations while it was empty.
/// The app's column names are the keys; NULL is what is left out.
struct PopulatedProbe {
    typealias Row = [(column: String, value: SQLValue)]

    let path: String
    let version: Int

    init(in directory: TemporaryDirectory, version: Int) throws {
        let fixture = try ProbeFixture(in: directory, version: version) { _ in }
        (path, self.version) = (fixture.path, version)
        try fixture.change { context in
            for (table, rows) in Self.tables {
                guard try context.tableExists(table) else { continue }
                let columns = Set(try context.columns(for: table).map(\.name))
                for row in rows where version >= Self.firstVersion(of: row, in: table) {
                    try Self.insert(row, table, columns, context)
                }
            }
        }
    }

    /// Before version 10 a link has one row, and default cards have none.
    private static func firstVersion(of row: Row, in table: String) -> Int {
        guard table == "TestDescriptor" else { return 5 }
        let isLatest =
            row.contains { $0.column == "runId" && $0.value == .text("10004") }
            && row.contains { $0.column == "revision" && $0.value == .long(2) }
        return isLatest ? 5 : 10
    }

    /// Columns that the version does not have are left out.
    private static func insert(
        _ row: Row, _ table: String, _ columns: Set<String>, _ context: SQLContext
    ) throws {
        let known = row.compactMap { entry in
            [entry.column, oldNames[entry.column] ?? ""].first { columns.contains($0) }
                .map { ($0, entry.value) }
        }
        let names = known.map(\.0).joined(separator: ", ")
        let places = known.map { _ in "?" }.joined(separator: ", ")
        try context.exec(
            sql: "INSERT INTO \(table) (\(names)) VALUES (\(places))",
            parameters: known.map(\.1))
    }

    private static let oldNames = ["descriptor_name": "test_group_name"]
}

// The rows.
extension PopulatedProbe {
    private static let tables: [(String, [Row])] = [
        ("TestDescriptor", descriptors), ("Network", networks), ("Url", urls),
        ("Result", results), ("Measurement", measurements), ("Article", articles),
    ]

    private static let descriptors: [Row] = [
        [
            ("runId", .text("10004")), ("revision", .long(1)), ("name", .text("Before")),
            ("name_intl", .text("null")), ("auto_update", .long(0)),
            ("revisions", .text("[1]")),
        ],
        [
            ("runId", .text("10004")), ("revision", .long(2)), ("name", .text("Festival")),
            ("short_description", .text("Sites of a festival")), ("description", .text("*All*")),
            ("author", .text("me@example.org")),
            (
                "nettests",
                .text(
                    #"[{"test_name":"web_connectivity","inputs":["https://one.example/"]},"#
                        + #"{"test_name":"tor"}]"#)
            ),
            ("name_intl", .text(#"{"pt_BR":"Festa"}"#)),
            ("short_description_intl", .text(#"{"de":"Seiten"}"#)),
            ("description_intl", .text(#"{"de":"*Alle*"}"#)), ("icon", .text("FaShield")),
            ("color", .text("#00ff7f")), ("animation", .text("spin.json")),
            ("expiration_date", .long(4_102_444_800_000)),
            ("date_created", .long(1_700_000_000_000)),
            ("date_updated", .long(1_700_000_001_000)),
            ("date_installed", .long(1_700_000_002_000)), ("auto_update", .long(1)),
            ("rejected_revision", .long(3)), ("revisions", .text(#"["2","1"]"#)),
        ],
        [
            ("runId", .text("00104")), ("revision", .long(1)), ("name", .text("Websites")),
            ("nettests", .text("[]")), ("auto_update", .long(1)), ("revisions", .text("[]")),
        ],
    ]

    private static let networks: [Row] = [
        [
            ("id", .long(1)), ("network_name", .text("Net")), ("ip", .text("192.0.2.1")),
            ("asn", .text("AS1234")), ("country_code", .text("DE")),
            ("network_type", .text("wifi")),
        ],
        [("id", .long(2)), ("asn", .text("AS9")), ("network_type", .text("satellite"))],
    ]

    private static let urls: [Row] = [
        [
            ("id", .long(1)), ("url", .text("https://one.example/")),
            ("category_code", .text("NEWS")), ("country_code", .text("IT")),
        ],
        [
            ("id", .long(2)), ("url", .text("https://two.example/")),
            ("category_code", .text("WHAT")), ("country_code", .text("XX")),
        ],
    ]

    private static let results: [Row] = [
        [
            ("id", .long(1)), ("descriptor_name", .text("websites")),
            ("start_time", .long(1_700_000_100_000)), ("is_viewed", .long(1)),
            ("is_done", .long(1)), ("data_usage_up", .long(12)), ("data_usage_down", .long(345)),
            ("network_id", .long(1)), ("task_origin", .text("autorun")),
            ("run_id", .text("internal_run_1")),
        ],
        [
            ("id", .long(2)), ("descriptor_runId", .text("10004")),
            ("descriptor_revision", .long(2)), ("start_time", .long(1_700_000_200_000)),
            ("is_viewed", .long(0)), ("is_done", .long(1)), ("data_usage_up", .long(0)),
            ("data_usage_down", .long(1)), ("failure_msg", .text("no\nroute")),
            ("network_id", .long(2)), ("task_origin", .text("ooni-run")),
        ],
        [("id", .long(3)), ("start_time", .long(1_700_000_300_000)), ("is_done", .long(0))],
    ]

    private static let measurements: [Row] = [
        [
            ("id", .long(10)), ("result_id", .long(1)), ("test_name", .text("web_connectivity")),
            ("start_time", .long(1_700_000_100_500)), ("runtime", .real(1.5)),
            ("is_done", .long(1)), ("is_uploaded", .long(1)), ("is_failed", .long(0)),
            ("is_upload_failed", .long(0)), ("is_rerun", .long(0)), ("is_anomaly", .long(1)),
            ("report_id", .text("r10")), ("uid", .text("u10")), ("url_id", .long(1)),
            ("verification_status", .text("Verified")),
        ],
        [
            ("id", .long(11)), ("result_id", .long(1)), ("test_name", .text("web_connectivity")),
            ("start_time", .long(1_700_000_101_000)), ("is_done", .long(1)),
            ("is_uploaded", .long(0)), ("is_upload_failed", .long(1)),
            ("upload_failure_msg", .text("timeout")), ("is_rerun", .long(1)),
            ("url_id", .long(2)),
            (
                "rerun_network",
                .text(
                    #"{"network_name":"Net","asn":"AS1","country_code":"FR","networkType":"vpn"}"#
                )
            ),
            ("verification_status", .text("Failed")),
        ],
        [
            ("id", .long(12)), ("result_id", .long(2)), ("test_name", .text("ndt")),
            ("start_time", .long(1_700_000_200_100)), ("is_done", .long(1)),
            ("test_keys", .text(#"{"summary":{"upload":1.25,"download":20,"ping":30}}"#)),
        ],
        [
            ("id", .long(13)), ("result_id", .long(2)), ("test_name", .text("dash")),
            ("start_time", .long(1_700_000_200_200)), ("is_done", .long(1)),
            ("is_failed", .long(1)), ("failure_msg", .text("broken")),
            (
                "test_keys",
                .text(#"{"simple":{"median_bitrate":5,"upload":6,"download":7.5}}"#)
            ),
        ],
        [
            ("id", .long(14)), ("result_id", .long(3)), ("test_name", .text("experiment_x")),
            ("start_time", .long(1_700_000_300_100)),
        ],
    ]

    private static let articles: [Row] = [
        [
            ("url", .text("https://ooni.example/a")), ("title", .text("A")),
            ("source", .text("finding")), ("description", .text("about")),
            ("image_url", .text("https://ooni.example/a.png")), ("time", .long(77)),
        ],
        [
            ("url", .text("https://ooni.example/b")), ("title", .text("B")),
            ("source", .text("blog")), ("time", .long(78)),
        ],
    ]
}
