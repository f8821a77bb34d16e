import Foundation
import SQLCore

/// The relational schema of OONI Probe's database, version 21, and its queries, written from their
/// specification, on the same SQLite, with a cache as large as the store's, and without overwriting
/// deleted data, as in the store.
final class ProbeOriginal {
    private let context: SQLContext
    private var statements: [String: SQLStatement] = [:]

    init(path: String, isNew: Bool = false) throws {
        context = try SQLContext(path: path)
        try context.exec(
            sql: """
                PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = OFF;
                PRAGMA cache_size = -10240
                """)
        if isNew { try fill() }
    }

    func close() throws {
        for statement in statements.values { statement.close() }
        statements = [:]
        try context.close()
    }

    private static let schema = """
        CREATE TABLE TestDescriptor (runId TEXT NOT NULL, revision INTEGER NOT NULL, name TEXT,
            short_description TEXT, description TEXT, author TEXT, nettests TEXT, name_intl TEXT,
            short_description_intl TEXT, description_intl TEXT, icon TEXT, color TEXT,
            animation TEXT, expiration_date INTEGER, date_created INTEGER, date_updated INTEGER,
            auto_update INTEGER, rejected_revision INTEGER, date_installed INTEGER,
            PRIMARY KEY (runId, revision));
        CREATE TABLE Article (url TEXT PRIMARY KEY, title TEXT, source TEXT, description TEXT,
            image_url TEXT, time INTEGER);
        CREATE TABLE Network (id INTEGER PRIMARY KEY AUTOINCREMENT, network_name TEXT, asn TEXT,
            country_code TEXT, network_type TEXT);
        CREATE TABLE Url (id INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT, category_code TEXT,
            country_code TEXT);
        CREATE TABLE Result (id INTEGER PRIMARY KEY AUTOINCREMENT, descriptor_name TEXT,
            start_time INTEGER, is_viewed INTEGER, is_done INTEGER, data_usage_up INTEGER,
            data_usage_down INTEGER, failure_msg TEXT, network_id INTEGER, descriptor_runId TEXT,
            descriptor_revision INTEGER, task_origin TEXT DEFAULT 'ooni-run', run_id TEXT);
        CREATE TABLE Measurement (id INTEGER PRIMARY KEY AUTOINCREMENT, test_name TEXT,
            start_time INTEGER, runtime REAL, is_done INTEGER, is_uploaded INTEGER,
            is_failed INTEGER, failure_msg TEXT, is_upload_failed INTEGER,
            upload_failure_msg TEXT, is_rerun INTEGER, report_id TEXT, is_anomaly INTEGER,
            test_keys TEXT, url_id INTEGER, result_id INTEGER, rerun_network TEXT, uid TEXT,
            verification_status TEXT);
        CREATE INDEX r_start ON Result (start_time);
        CREATE INDEX r_name ON Result (descriptor_name);
        CREATE INDEX r_origin ON Result (task_origin);
        CREATE INDEX r_done ON Result (is_done, is_viewed);
        CREATE INDEX m_result ON Measurement (result_id, is_done);
        CREATE INDEX m_start ON Measurement (start_time);
        CREATE INDEX m_done ON Measurement (is_done);
        CREATE VIEW Listed AS SELECT r.*, n.network_name, n.asn, n.country_code, n.network_type,
            count(m.id) AS total, sum(m.is_done) AS done, sum(m.is_failed) AS failed,
            sum(m.is_anomaly) AS anomaly,
            sum(m.is_done AND NOT m.is_uploaded AND m.is_upload_failed) AS upload_failed,
            sum(m.is_done AND NOT m.is_uploaded) AS not_uploaded
            FROM Result r LEFT JOIN Network n ON n.id = r.network_id
            LEFT JOIN Measurement m ON m.result_id = r.id
            GROUP BY r.id ORDER BY r.start_time DESC;
        PRAGMA user_version = 21;
        """

    private func fill() throws {
        try context.exec(sql: Self.schema)
        let data = ProbeData.shared
        try context.exec(sql: "BEGIN")
        let network = try context.prepare(sql: "INSERT INTO Network VALUES (?,?,?,?,?)")
        for (number, item) in data.networks.enumerated() {
            try network.update(parameters: [
                .long(Int64(number + 1)), .text(item.name), .text(item.asn), .text(item.country),
                .text(item.type),
            ])
        }
        let url = try context.prepare(sql: "INSERT INTO Url VALUES (?,?,'NEWS',NULL)")
        for (number, item) in data.urls.enumerated() {
            try url.update(parameters: [.long(Int64(number + 1)), .text(item)])
        }
        let result = try context.prepare(
            sql: "INSERT INTO Result VALUES (?,?,?,?,1,100,200,NULL,?,NULL,NULL,?,?)")
        let measurement = try context.prepare(sql: Self.measurement("INSERT"))
        var last: Int64 = 0
        for (number, item) in data.results.enumerated() {
            let id = Int64(number + 1)
            try result.update(parameters: [
                .long(id), .text(item.descriptor), .long(item.startTime),
                .long(item.isViewed ? 1 : 0), .long(Int64(item.network + 1)), .text(item.origin),
                .text(item.run),
            ])
            for item in item.measurements {
                last += 1
                try measurement.update(parameters: Self.values(item, last, id, isDone: true))
            }
        }
        for statement in [network, url, result, measurement] { statement.close() }
        try context.exec(sql: "COMMIT; ANALYZE")
    }

    private static func measurement(_ verb: String) -> String {
        verb + " INTO Measurement (id, test_name, start_time, runtime, is_done, is_uploaded, "
            + "is_failed, is_upload_failed, is_rerun, report_id, is_anomaly, url_id, result_id) "
            + "VALUES (?,?,?,1.5,?,?,?,0,0,'20260818T000000Z_webconnectivity_DE_1000',?,?,?)"
    }

    private static func values(
        _ item: ProbeData.Measurement, _ id: Int64, _ result: Int64, isDone: Bool
    ) -> [SQLValue] {
        func flag(_ value: Bool) -> SQLValue { .long(value ? 1 : 0) }
        return [
            .long(id), .text(item.testName), .long(item.startTime), flag(isDone),
            flag(item.isUploaded), flag(item.isFailed), flag(item.isAnomaly),
            item.url.map { .long(Int64($0 + 1)) } ?? .null, .long(result),
        ]
    }
}

extension ProbeOriginal {
    /// Reads all columns of all rows; sums the values returned by `value`, by default the number of
    /// rows.
    private func rows(_ sql: String, _ value: ([SQLValue]) -> Int = { _ in 1 }) throws -> Int {
        let statement = try cached(sql)
        defer { statement.reset() }
        var sum = 0
        while try statement.next() { sum += value(statement.rowValues()) }
        return sum
    }

    private func cached(_ sql: String) throws -> SQLStatement {
        if let known = statements[sql] { return known }
        let statement = try context.prepare(sql: sql)
        statements[sql] = statement
        return statement
    }

    private func number(_ sql: String) throws -> Int {
        let statement = try cached(sql)
        defer { statement.reset() }
        return try statement.next() ? Int(statement.long(at: 0)) : 0
    }

    /// The columns are those of `Result`, then of the network, then the aggregates.
    func list(_ limit: Int) throws -> Int {
        try rows("SELECT * FROM Listed LIMIT \(limit)") { row in
            ProbeData.sum(
                start: row[2].longValue ?? 0, total: Int(row[17].longValue ?? 0),
                failed: Int(row[19].longValue ?? 0), notUploaded: Int(row[22].longValue ?? 0))
        }
    }

    func notViewed() throws -> Int {
        try number(
            "SELECT count(*) FROM Result r WHERE is_done = 1 AND is_viewed = 0 AND EXISTS "
                + "(SELECT 1 FROM Measurement m WHERE m.result_id = r.id AND m.is_done = 1)")
    }

    func missingUpload() throws -> Int {
        try number(
            "SELECT count(*) FROM (SELECT result_id FROM Measurement WHERE is_done = 1 "
                + "AND is_uploaded = 0 GROUP BY result_id)")
    }

    func notUploaded() throws -> Int {
        try rows(
            "SELECT m.*, u.url FROM Measurement m LEFT JOIN Url u ON u.id = m.url_id "
                + "WHERE is_done = 1 AND is_uploaded = 0 ORDER BY start_time"
        ) { ProbeData.sum(start: $0[2].longValue ?? 0) }
    }

    func statistics() throws -> Int {
        let counts = try ProbeData.periods.map {
            try number(
                "SELECT count(*) FROM Measurement WHERE start_time >= \($0) AND is_done = 1")
        }
        return try counts.reduce(0, +) + rows("SELECT DISTINCT asn FROM Network")
            + rows("SELECT DISTINCT country_code FROM Network")
    }

    /// Inserts a result with a measurement, for events.
    func begin() throws {
        try context.exec(
            sql: "INSERT OR REPLACE INTO Result VALUES "
                + "(9000000,'websites',\(ProbeData.now),0,0,0,0,NULL,1,NULL,NULL,'autorun','r')")
    }

    /// The number of measurements of that result that are done and uploaded.
    func uploadedCount() throws -> Int {
        try number(
            "SELECT count(*) FROM Measurement WHERE result_id = 9000000 AND is_done = 1 "
                + "AND is_uploaded = 1")
    }

    /// The number of rows besides the initial ones.
    func extraCount() throws -> Int {
        try number("SELECT (SELECT count(*) FROM Measurement) + (SELECT count(*) FROM Result)")
            - ProbeData.shared.measurementCount - ProbeData.resultCount
    }

    /// An event of a measurement, which rewrites its row; returns the number of written rows.
    func event(_ number: Int) throws -> Int {
        let item = ProbeData.Measurement(
            testName: "web_connectivity", url: 1, startTime: ProbeData.now, isFailed: false,
            isAnomaly: false, isUploaded: number % 2 == 0)
        let statement = try cached(Self.measurement("INSERT OR REPLACE"))
        defer { statement.reset() }
        try context.exec(sql: "BEGIN")
        try statement.update(parameters: Self.values(item, 9_000_000, 9_000_000, isDone: true))
        let count = context.changes
        try context.exec(sql: "COMMIT")
        return count
    }

    /// The life of a measurement: it starts, progresses twice, ends, and is uploaded. Each event
    /// writes its whole row.
    func life(_ number: Int) throws {
        let statement = try cached(Self.measurement("INSERT OR REPLACE"))
        for event in 0..<5 {
            let item = ProbeData.Measurement(
                testName: "web_connectivity", url: 1, startTime: ProbeData.now, isFailed: false,
                isAnomaly: false, isUploaded: event == 4)
            defer { statement.reset() }
            try context.exec(sql: "BEGIN")
            try statement.update(
                parameters: Self.values(
                    item, 9_200_000 + Int64(number), 9_000_000, isDone: event >= 3))
            try context.exec(sql: "COMMIT")
        }
    }

    /// Inserts a result with 250 measurements, to be deleted.
    func insertLarge() throws {
        try context.exec(sql: "BEGIN")
        try context.exec(
            sql: "INSERT OR REPLACE INTO Result VALUES "
                + "(9000001,'websites',\(ProbeData.now),0,0,0,0,NULL,1,NULL,NULL,'autorun','r')")
        let statement = try context.prepare(sql: Self.measurement("INSERT"))
        for number in 0..<250 {
            let item = ProbeData.shared.results[5].measurements[0]
            try statement.update(
                parameters: Self.values(item, 9_100_000 + Int64(number), 9_000_001, isDone: true))
        }
        statement.close()
        try context.exec(sql: "COMMIT")
    }

    /// As in the original: first the result, then unreferenced rows.
    func deleteLarge() throws -> Int {
        try context.exec(sql: "DELETE FROM Result WHERE id IN (9000001)")
        let orphans = try rows(
            "SELECT m.id, m.test_name FROM Measurement m LEFT JOIN Result r ON r.id = m.result_id "
                + "WHERE r.id IS NULL")
        try context.exec(
            sql: "DELETE FROM Measurement WHERE result_id NOT IN (SELECT id FROM Result)")
        try context.exec(
            sql: "DELETE FROM Network WHERE id NOT IN "
                + "(SELECT network_id FROM Result WHERE network_id IS NOT NULL)")
        return orphans
    }
}
