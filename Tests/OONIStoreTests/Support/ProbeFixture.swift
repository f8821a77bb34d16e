import Foundation
import ProjectTestSupport
import SQLCore
import SampleData
import StoreTestSupport

/// Databases of OONI Probe in any version from 5 to 21, made as the app makes them: one of
/// version 5 is taken through the migrations.
struct ProbeFixture {
    let path: String

    /// A database of version 5, then of a later one.
    ///
    /// - Parameters:
    ///   - directory: where it is made, in place of an earlier one of the version.
    ///   - fill: writes rows into version 5.
    init(
        in directory: TemporaryDirectory, version: Int,
        _ fill: (SQLContext) throws -> Void = ProbeFixture.fewRows
    ) throws {
        path = directory("version-\(version).db")
        try? FileManager.default.removeItem(atPath: path)
        if GoldenFiles.arePresent {
            let copy = try directory.copy(of: GoldenFiles.file("ooni/probe-v5.db"))
            try FileManager.default.moveItem(atPath: copy, toPath: path)
        } else {
            try SQLContext(path: path).exec(sql: Self.version5)
        }
        try change { context in
            // The numbers that the copy has given are none of these rows.
            try context.exec(sql: "DELETE FROM sqlite_sequence")
            try context.transaction { try fill(context) }
            for step in 5..<max(version, 5) {
                for statement in Self.migrations[step] ?? [] { try context.exec(sql: statement) }
            }
            try context.exec(sql: "PRAGMA user_version = \(version)")
        }
    }

    /// Changes the database.
    func change(_ body: (SQLContext) throws -> Void) throws {
        let context = try SQLContext(path: path)
        try body(context)
        try context.close()
    }

    func exec(_ sql: String) throws { try change { try $0.exec(sql: sql) } }

    /// The tables of version 5, from the description of the app's schema.
    private static let version5 = """
        CREATE TABLE TestDescriptor (runId INTEGER PRIMARY KEY, name TEXT, short_description TEXT,
            description TEXT, author TEXT, nettests TEXT, name_intl TEXT,
            short_description_intl TEXT, description_intl TEXT, icon TEXT, color TEXT,
            animation TEXT, expiration_date INTEGER, date_created INTEGER, date_updated INTEGER,
            revision TEXT, previous_revision TEXT, is_expired INTEGER, auto_update INTEGER);
        CREATE TABLE Network (id INTEGER PRIMARY KEY AUTOINCREMENT, network_name TEXT, ip TEXT,
            asn TEXT, country_code TEXT, network_type TEXT);
        CREATE TABLE Url (id INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT, category_code TEXT,
            country_code TEXT);
        CREATE TABLE Result (id INTEGER PRIMARY KEY AUTOINCREMENT, test_group_name TEXT,
            start_time INTEGER, is_viewed INTEGER, is_done INTEGER, data_usage_up INTEGER,
            data_usage_down INTEGER, failure_msg TEXT, network_id INTEGER REFERENCES Network (id),
            descriptor_runId INTEGER REFERENCES TestDescriptor (runId));
        CREATE TABLE Measurement (id INTEGER PRIMARY KEY AUTOINCREMENT, test_name TEXT,
            start_time INTEGER, runtime REAL, is_done INTEGER, is_uploaded INTEGER,
            is_failed INTEGER, failure_msg TEXT, is_upload_failed INTEGER,
            upload_failure_msg TEXT, is_rerun INTEGER, report_id TEXT, is_anomaly INTEGER,
            test_keys TEXT, url_id INTEGER REFERENCES Url (id),
            result_id INTEGER REFERENCES Result (id), rerun_network TEXT);
        PRAGMA user_version = 5;
        """
}

// What each migration does to a database of its version.
extension ProbeFixture {
    private static let migrations: [Int: [String]] = [
        6: ["ALTER TABLE Result ADD COLUMN task_origin TEXT DEFAULT 'ooni-run'"],
        7: [
            "CREATE INDEX idx_result_start_time ON Result (start_time)",
            "CREATE INDEX idx_measure_result_id ON Measurement (result_id)",
        ],
        8: [
            """
            CREATE TABLE Network2 (id INTEGER PRIMARY KEY AUTOINCREMENT, network_name TEXT,
                asn TEXT, country_code TEXT, network_type TEXT)
            """,
            """
            INSERT INTO Network2 SELECT id, network_name, asn, country_code, network_type
            FROM Network
            """, "DROP TABLE Network", "ALTER TABLE Network2 RENAME TO Network",
        ],
        9: rebuildDescriptors + rebuildResults,
        10: ["ALTER TABLE TestDescriptor ADD COLUMN rejected_revision INTEGER"],
        11: withoutRevisions,
        12: ["ALTER TABLE Measurement ADD COLUMN uid TEXT"],
        13: ["ALTER TABLE TestDescriptor ADD COLUMN date_installed INTEGER"],
        14: ["ALTER TABLE Result ADD COLUMN run_id TEXT"],
        15: [
            """
            CREATE VIEW ResultWithNetworkAndAggregates AS SELECT Result.*,
                (SELECT count(*) FROM Measurement AS m WHERE m.result_id = Result.id) AS all_count
            FROM Result
            """
        ],
        16: [
            """
            CREATE TABLE Article (url TEXT PRIMARY KEY, title TEXT, source TEXT, description TEXT,
                image_url TEXT, time INTEGER)
            """
        ],
        18: ["ALTER TABLE Measurement ADD COLUMN verification_status TEXT"],
        19: ["CREATE INDEX idx_measure_done ON Measurement (is_done)"],
        20: [
            "CREATE INDEX idx_result_done_viewed ON Result (is_done, is_viewed)",
            "CREATE INDEX idx_measure_result_done ON Measurement (result_id, is_done)",
        ],
    ]

    private static let texts = """
        name TEXT, short_description TEXT, description TEXT, author TEXT, nettests TEXT,
        name_intl TEXT, short_description_intl TEXT, description_intl TEXT, icon TEXT, color TEXT,
        animation TEXT, expiration_date INTEGER, date_created INTEGER, date_updated INTEGER,
        auto_update INTEGER
        """
    private static let textNames = texts.replacing(" TEXT", with: "")
        .replacing(" INTEGER", with: "")

    private static let rebuildDescriptors = [
        """
        CREATE TABLE TestDescriptor2 (runId TEXT NOT NULL, revision INTEGER NOT NULL, \(texts),
            revisions TEXT, PRIMARY KEY (runId, revision))
        """,
        """
        INSERT INTO TestDescriptor2
        SELECT CAST(runId AS TEXT), 0, \(textNames), '[]' FROM TestDescriptor
        """, "DROP TABLE TestDescriptor", "ALTER TABLE TestDescriptor2 RENAME TO TestDescriptor",
    ]

    private static let rebuildResults = [
        """
        CREATE TABLE Result2 (id INTEGER PRIMARY KEY AUTOINCREMENT, descriptor_name TEXT,
            descriptor_runId TEXT, descriptor_revision INTEGER, start_time INTEGER,
            is_viewed INTEGER, is_done INTEGER, data_usage_up INTEGER, data_usage_down INTEGER,
            failure_msg TEXT, network_id INTEGER REFERENCES Network (id),
            task_origin TEXT DEFAULT 'ooni-run',
            FOREIGN KEY (descriptor_runId, descriptor_revision)
                REFERENCES TestDescriptor (runId, revision))
        """,
        """
        INSERT INTO Result2 SELECT id, test_group_name, CAST(descriptor_runId AS TEXT),
            CASE WHEN descriptor_runId IS NULL THEN NULL ELSE 0 END, start_time, is_viewed,
            is_done, data_usage_up, data_usage_down, failure_msg, network_id, task_origin
        FROM Result
        """, "DROP TABLE Result", "ALTER TABLE Result2 RENAME TO Result",
    ]

    private static let withoutRevisions = [
        """
        CREATE TABLE TestDescriptor2 (runId TEXT NOT NULL, revision INTEGER NOT NULL, \(texts),
            rejected_revision INTEGER, PRIMARY KEY (runId, revision))
        """,
        """
        INSERT INTO TestDescriptor2 SELECT runId, revision, \(textNames), rejected_revision
        FROM TestDescriptor
        """, "DROP TABLE TestDescriptor", "ALTER TABLE TestDescriptor2 RENAME TO TestDescriptor",
    ]
}
