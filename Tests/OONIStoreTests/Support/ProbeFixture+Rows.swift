import SQLCore
import SampleData

// What the databases hold.
extension ProbeFixture {
    /// A row of each kind that the app writes, and of those that it should not have written.
    static let fewRows: @Sendable (SQLContext) throws -> Void = { context in
        try context.exec(sql: rows)
    }

    private static let rows = """
        INSERT INTO TestDescriptor (runId, name, short_description, author, nettests, name_intl,
            short_description_intl, description_intl, icon, color, expiration_date, date_created,
            date_updated, revision, auto_update)
        VALUES (10004, 'Festival', 'Sites of a festival', 'me@example.org',
            '[{"test_name":"web_connectivity","inputs":["https://one.example/"]},'
            || '{"test_name":"tor","options":{"a":[1,null]}}]',
            '{"pt_BR":"Festa","de":"Fest"}', 'null', NULL, 'FaShield', '#00ff7f', 4102444800000,
            1700000000000, 1700000001000, NULL, 1),
            (10005, 'Other', NULL, NULL, NULL, '[3]', 'null', 'null', NULL, NULL, NULL, NULL, NULL,
            NULL, NULL);
        INSERT INTO Network (id, network_name, asn, country_code, network_type)
        VALUES (2, 'Net', 'AS1234', 'DE', 'wifi'), (3, NULL, 'AS1234', 'DE', 'wifi'),
            (4, 'Net', 'AS1234', 'DE', 'wifi'), (7, NULL, 'AS1234', 'DE', 'wifi'),
            (8, 'Sat', 'AS9', 'NL', 'satellite');
        INSERT INTO Url (id, url, category_code, country_code)
        VALUES (1, 'https://one.example/', 'NEWS', 'IT'), (2, 'https://two.example/', NULL, 'XX'),
            (3, 'https://one.example/', 'MISC', 'XX'), (4, NULL, 'NEWS', 'DE'),
            (5, 'https://two.example/', 'HUMR', NULL);
        INSERT INTO Result (id, test_group_name, start_time, is_viewed, is_done, data_usage_up,
            data_usage_down, failure_msg, network_id, descriptor_runId)
        VALUES (3, 'websites', 1700000100000, 1, 1, 12, 345, NULL, 2, NULL),
            (4, 'Festival', 1700000200000, 0, 1, NULL, NULL, 'a\nb', 7, 10004),
            (5, 'performance', 1700000300000, NULL, NULL, 1, 2, NULL, 4, NULL),
            (6, 'websites', NULL, 1, 1, 1, 1, NULL, NULL, NULL),
            (7, NULL, 1700000400000, 0, 0, 0, 0, NULL, 99, 777);
        INSERT INTO Measurement (id, test_name, start_time, runtime, is_done, is_uploaded,
            is_failed, failure_msg, is_upload_failed, upload_failure_msg, is_rerun, report_id,
            is_anomaly, test_keys, url_id, result_id, rerun_network)
        VALUES
            (10, 'web_connectivity', 1700000100500, 1.5, 1, 1, 0, NULL, 0, NULL, 0, 'r1', 1,
            '{"blocking":"dns"}', 1, 3, NULL),
            (11, 'web_connectivity', 1700000101000, 2, 1, NULL, NULL, NULL, 1, 'no way', 1, '',
            NULL, NULL, 3, 3, '{"id":{"value":2},"network_name":"Net","asn":"AS1","country_code":'
            || '"FR","networkType":"vpn"}'),
            (12, 'ndt', 1700000300100, NULL, 1, 0, 0, NULL, 0, NULL, 0, NULL, 0,
            '{"summary":{"upload":1.25,"download":20,"ping":30}}', NULL, 5, 'null'),
            (13, 'dash', 1700000300200, NULL, NULL, 0, 1, 'broken', 0, NULL, 0, NULL, 0, 'null',
            NULL, 5, NULL),
            (14, 'dash', NULL, NULL, 1, 0, 0, NULL, 0, NULL, 0, NULL, 0, '{"simple":', NULL, 5,
            '[1]'),
            (15, 'experiment_x', 1700000200100, 1, 1, 1, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 88, 4,
            NULL),
            (16, NULL, 1700000200100, 1, 1, 1, 0, NULL, 0, NULL, 0, NULL, 0, NULL, NULL, 4, NULL),
            (17, 'tor', 1700000200100, 1, 1, 1, 0, NULL, 0, NULL, 0, NULL, 0, NULL, NULL, NULL,
            NULL),
            (18, 'tor', 1700000200100, 1, 1, 1, 0, NULL, 0, NULL, 0, NULL, 0, NULL, NULL, 50, NULL),
            (19, 'tor', 1700000200100, 1, 1, 1, 0, NULL, 0, NULL, 0, NULL, 0, NULL, NULL, 6, NULL);
        UPDATE sqlite_sequence SET seq = 40 WHERE name = 'Measurement';
        """

    /// So many results; one in ten has 50 to 249 measurements, the others 1 to 8.
    static func manyRows(
        results: Int, seed: UInt64
    ) -> @Sendable (SQLContext) throws -> Void {
        { context in
            var random = SeededGenerator(seed: seed)
            for url in 1...1_000 {
                try context.exec(
                    sql: "INSERT INTO Url (url, category_code, country_code) VALUES (?, ?, ?)",
                    parameters: [
                        .text("https://site-\(url).example/"),
                        .text(random.pick(["NEWS", "HUMR", "MISC"])),
                        .text(random.pick(["XX", "IT", "DE"])),
                    ])
            }
            for network in 1...50 {
                try context.exec(
                    sql: "INSERT INTO Network (network_name, asn, country_code, network_type) "
                        + "VALUES (?, ?, 'DE', 'wifi')",
                    parameters: [.text("Net \(network)"), .text("AS\(network)")])
            }
            for result in 1...max(results, 1) {
                try insert(result: result, in: context, &random)
            }
        }
    }

    private static func insert(
        result: Int, in context: SQLContext, _ random: inout SeededGenerator
    ) throws {
        let start = 1_600_000_000_000 + Int64(result) * 3_600_000
        try context.exec(
            sql: "INSERT INTO Result (test_group_name, start_time, is_viewed, is_done, "
                + "data_usage_up, data_usage_down, network_id) VALUES (?, ?, ?, 1, 10, 20, ?)",
            parameters: [
                .text("websites"), .long(start), .long(Int64(random.below(2))),
                .long(Int64(1 + random.below(50))),
            ])
        let count = random.below(10) == 0 ? 50 + random.below(200) : 1 + random.below(8)
        for measurement in 0..<count {
            try context.exec(
                sql: "INSERT INTO Measurement (test_name, start_time, runtime, is_done, "
                    + "is_uploaded, is_failed, is_upload_failed, is_rerun, report_id, is_anomaly, "
                    + "url_id, result_id) VALUES ('web_connectivity', ?, 1.25, 1, ?, ?, 0, 0, "
                    + "'20240101T000000Z_webconnectivity_DE_1234_n1_abcdef', ?, ?, ?)",
                parameters: [
                    .long(start + Int64(measurement) * 1_000),
                    .long(random.below(20) == 0 ? 0 : 1), .long(random.below(30) == 0 ? 1 : 0),
                    .long(random.below(15) == 0 ? 1 : 0), .long(Int64(1 + random.below(1_000))),
                    .long(Int64(result)),
                ])
        }
    }
}
