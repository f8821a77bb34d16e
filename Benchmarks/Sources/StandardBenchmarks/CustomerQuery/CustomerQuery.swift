/// The ten queries of YCSB-JSON, Couchbase's extension of YCSB for documents with nested objects
/// and arrays, by its names.
///
/// This project's interpretation: customers and orders are two collections; queries for customers
/// return the ID and two properties, as a list would show; all of them except the reports are
/// ordered by ID, so that the limit always selects the same rows.
package enum CustomerQuery: String, CaseIterable, Sendable {
    /// Customers from an ID on.
    case scan
    /// A page of the customers with a postcode.
    case page
    /// A page of the customers of a country, an age group and a year of birth: a compound key.
    case search
    /// Customers with a postcode in the previous address: a nested object.
    case nestscan
    /// Customers with a device: an element of an array.
    case arrayscan
    /// Customers who visited a city of a country: an array in an array of objects.
    case arraydeepscan
    /// The orders of the customers with a postcode: a join through an array of IDs.
    case report
    /// The sales of a month to the customers with a postcode: a join and an aggregate.
    case report2
    /// Customers with a device, and a child of an age: two arrays.
    case compoundarray = "compound_multiple_array"
    /// Customers with exactly these devices, in this order: an array as the value.
    case literalarray = "literal_array"

    /// The names of parameters in SQL++, in the order of the arguments.
    static let parameters = ["a", "b", "c", "d", "e"]

    /// The query in SQL++, with the parameters `$a`, `$b` and so on.
    package var sqlPlusPlus: String {
        let list = "SELECT META().id, last_name, email FROM customers"
        return switch self {
        case .scan: "\(list) WHERE META().id >= $a ORDER BY META().id LIMIT $b"
        case .page:
            "\(list) WHERE address.zip = $a ORDER BY META().id LIMIT $b OFFSET $c"
        case .search:
            """
            \(list) WHERE address.country = $a AND age_group = $b \
            AND DATE_PART_STR(dob, 'year') = $c ORDER BY META().id LIMIT $d OFFSET $e
            """
        case .nestscan:
            "\(list) WHERE address.prev_address.zip = $a ORDER BY META().id LIMIT $b"
        case .arrayscan:
            "\(list) WHERE ANY d IN devices SATISFIES d = $a END ORDER BY META().id LIMIT $b"
        case .arraydeepscan:
            """
            \(list) WHERE ANY v IN visited_places SATISFIES v.country = $a \
            AND ANY t IN v.cities SATISFIES t = $b END END ORDER BY META().id LIMIT $c
            """
        case .report:
            """
            SELECT META(o).id, o.sale_price, c.last_name FROM customers AS c \
            UNNEST c.order_list AS l JOIN orders AS o ON META(o).id = l \
            WHERE c.address.zip = $a
            """
        case .report2:
            """
            SELECT o.month, c.address.zip, SUM(o.sale_price) AS total FROM customers AS c \
            UNNEST c.order_list AS l JOIN orders AS o ON META(o).id = l \
            WHERE c.address.zip = $a AND o.month = $b GROUP BY o.month, c.address.zip
            """
        case .compoundarray:
            """
            \(list) WHERE ANY d IN devices SATISFIES d = $a END \
            AND ANY k IN children SATISFIES k.age = $b END ORDER BY META().id LIMIT $c
            """
        case .literalarray: "\(list) WHERE devices = $a ORDER BY META().id LIMIT $b"
        }
    }

    /// The query in SQLite's SQL, with the parameters `?1`, `?2` and so on.
    ///
    /// SQLite cannot index the elements of an array: the tables `device` and `place` have them, as
    /// an application would write them beside the documents.
    package var sql: String {
        let columns = """
            c.key, json_extract(c.body, '$.last_name'), json_extract(c.body, '$.email')
            """
        let list = "SELECT \(columns) FROM customer AS c"
        let orders = """
            FROM customer AS c, json_each(c.body, '$.order_list') AS l \
            JOIN purchase AS o ON o.key = l.value WHERE \(CustomerSQL.zip("c.body")) = ?1
            """
        return switch self {
        case .scan: "\(list) WHERE c.key >= ?1 ORDER BY c.key LIMIT ?2"
        case .page:
            "\(list) WHERE \(CustomerSQL.zip("c.body")) = ?1 ORDER BY c.key LIMIT ?2 OFFSET ?3"
        case .search:
            """
            \(list) WHERE \(CustomerSQL.country("c.body")) = ?1 \
            AND \(CustomerSQL.ageGroup("c.body")) = ?2 AND \(CustomerSQL.year("c.body")) = ?3 \
            ORDER BY c.key LIMIT ?4 OFFSET ?5
            """
        case .nestscan:
            "\(list) WHERE \(CustomerSQL.previousZip("c.body")) = ?1 ORDER BY c.key LIMIT ?2"
        case .arrayscan:
            """
            SELECT \(columns) FROM device AS d JOIN customer AS c ON c.key = d.key \
            WHERE d.value = ?1 ORDER BY d.key LIMIT ?2
            """
        case .arraydeepscan:
            """
            SELECT \(columns) FROM place AS p JOIN customer AS c ON c.key = p.key \
            WHERE p.country = ?1 AND p.city = ?2 ORDER BY p.key LIMIT ?3
            """
        case .report:
            """
            SELECT o.key, json_extract(o.body, '$.sale_price'), \
            json_extract(c.body, '$.last_name') \(orders)
            """
        case .report2:
            """
            SELECT json_extract(o.body, '$.month'), \(CustomerSQL.zip("c.body")), \
            SUM(json_extract(o.body, '$.sale_price')) \(orders) \
            AND json_extract(o.body, '$.month') = ?2 GROUP BY 1, 2
            """
        case .compoundarray:
            """
            SELECT \(columns) FROM device AS d JOIN customer AS c ON c.key = d.key \
            WHERE d.value = ?1 AND EXISTS (SELECT 1 FROM json_each(c.body, '$.children') AS k \
            WHERE json_extract(k.value, '$.age') = ?2) ORDER BY d.key LIMIT ?3
            """
        case .literalarray:
            "\(list) WHERE \(CustomerSQL.devices("c.body")) = ?1 ORDER BY c.key LIMIT ?2"
        }
    }
}
