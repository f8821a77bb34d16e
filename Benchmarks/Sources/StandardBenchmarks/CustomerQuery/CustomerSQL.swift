import Foundation

/// Customers and orders as JSON text in SQLite: tables, indexed expressions, and what fills them.
enum CustomerSQL {
    static func zip(_ body: String) -> String { "json_extract(\(body), '$.address.zip')" }
    static func previousZip(_ body: String) -> String {
        "json_extract(\(body), '$.address.prev_address.zip')"
    }
    static func country(_ body: String) -> String { "json_extract(\(body), '$.address.country')" }
    static func ageGroup(_ body: String) -> String { "json_extract(\(body), '$.age_group')" }
    static func year(_ body: String) -> String {
        "CAST(substr(json_extract(\(body), '$.dob'), 1, 4) AS INTEGER)"
    }
    static func devices(_ body: String) -> String { "json_extract(\(body), '$.devices')" }

    private static let tables = """
        CREATE TABLE customer (key TEXT PRIMARY KEY, body TEXT);
        CREATE TABLE purchase (key TEXT PRIMARY KEY, body TEXT);
        CREATE TABLE device (value TEXT, key TEXT, PRIMARY KEY (value, key)) WITHOUT ROWID;
        CREATE TABLE place (country TEXT, city TEXT, key TEXT,
          PRIMARY KEY (country, city, key)) WITHOUT ROWID
        """

    /// The documents, then what is derived from them.
    private static let derived = """
        INSERT INTO device SELECT d.value, c.key
          FROM customer AS c, json_each(c.body, '$.devices') AS d;
        INSERT INTO place SELECT json_extract(p.value, '$.country'), t.value, c.key
          FROM customer AS c, json_each(c.body, '$.visited_places') AS p,
            json_each(p.value, '$.cities') AS t;
        CREATE INDEX byZip ON customer (\(zip("body")));
        CREATE INDEX byPreviousZip ON customer (\(previousZip("body")));
        CREATE INDEX byCountry ON customer
          (\(country("body")), \(ageGroup("body")), \(year("body")));
        CREATE INDEX byDevices ON customer (\(devices("body")))
        """

    /// Creates and fills the database of a directory.
    static func create(_ directory: String, _ data: CustomerData) throws {
        let connection = try PlainConnection(directory, .normal)
        try connection.execute(tables)
        let transactions = try PlainTransactions(connection, NSLock())
        try transactions.write {
            try insert("customer", connection, data.customers, id: CustomerData.customerID)
            try insert("purchase", connection, data.orders, id: CustomerData.orderID)
            try connection.execute(derived)
        }
    }

    private static func insert(
        _ table: String, _ connection: PlainConnection, _ values: [some Encodable],
        id: (Int) -> String
    ) throws {
        let insert = try PlainStatement(
            connection, "INSERT INTO \(table) (key, body) VALUES (?, ?)")
        for (number, value) in values.enumerated() {
            try id(number).withBytes { key in
                try CustomerData.json(value).withBytes { body in
                    insert.bind(text: key, at: 1)
                    insert.bind(text: body, at: 2)
                    try insert.run()
                }
            }
        }
    }
}
