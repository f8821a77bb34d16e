import EngineTestSupport
import FleeceLite
import QueryEngine

/// This project's queries, by clause: one per line, after ` ## ` its parameters in JSON.
///
/// They are asked of the documents that `ModelDocuments` makes: things in `_`, items, and orders in
/// the scope `shop`.
enum ModelQueries {
    struct Entry {
        var section: String
        var text: String
        var parameters: [String: ModelValue]
    }

    static let sections: [(String, String)] =
        [
            ("SELECT", select), ("comparisons", comparisons), ("unknowns", unknowns),
            ("logic", logic), ("arithmetic", arithmetic), ("LIKE", like), ("IN", membership),
        ] + moreSections

    static func entries() throws -> [Entry] {
        try sections.flatMap { section, lines in
            try lines.split(separator: "\n").map { line in
                let parts = String(line).parts(by: " ## ")
                return Entry(
                    section: section, text: parts[0],
                    parameters: parts.count > 1 ? try parameters(parts[1]) : [:])
            }
        }
    }

    private static func parameters(_ json: String) throws -> [String: ModelValue] {
        guard case .object(let members) = ModelValue(try QueryValue(json: json)) else { return [:] }
        return Dictionary(
            members.map { ($0.key.string, $0.value) }, uniquingKeysWith: { $1 })
    }

    private static let select = #"""
        SELECT META().id AS id FROM _
        SELECT META().id AS id, kind FROM _
        SELECT META().id AS id, META().sequence AS seq FROM _
        SELECT _id, _sequence FROM _
        SELECT t._id AS id, t.kind AS kind FROM _ AS t
        SELECT t.* FROM _ AS t
        SELECT `where`.city AS city, `where`.at.x AS x FROM _
        SELECT `a.b` AS dotted, `$m` AS dollar FROM _
        SELECT list[0] AS first, list[-1] AS last, list[7] AS none FROM _
        SELECT parts[0].tags[1] AS tag FROM _
        SELECT n FROM _
        SELECT mixed AS mixed FROM _ AS t WHERE t.mixed IS NOT MISSING
        SELECT [kind, small, NULL] AS made FROM _
        SELECT {'kind': kind, 'small': small, 'fixed': [1, true, 'x']} AS made FROM _
        SELECT {'a': {'b': small}}.a.b AS nested FROM _
        SELECT 1 AS one, 'text' AS text, TRUE AS yes, NULL AS nothing, MISSING AS gone FROM items
        SELECT 2.5 AS real, -7 AS negative, 9007199254740993 AS large FROM items
        SELECT 18446744073709551615 AS huge FROM items
        SELECT $value AS value FROM items ## {"value": true}
        SELECT $value AS value FROM items ## {"value": null}
        SELECT $value AS value FROM items ## {"value": [1, {"a": false}]}
        SELECT $value AS value FROM items ## {"value": 18446744073709551615}
        SELECT $value AS value FROM items ## {"value": "it's"}
        SELECT $none IS MISSING AS isMissing FROM items
        SELECT name, price FROM items
        SELECT i.name AS name FROM items AS i
        SELECT items.name AS name FROM items
        SELECT orders.note AS note FROM shop.orders
        SELECT o.note AS note, o.rush AS rush FROM shop.orders o
        SELECT kind AS a, kind AS b FROM _
        SELECT small + 1 AS next FROM _ WHERE next > 3
        SELECT small AS s FROM _ WHERE s = 2
        """#

    private static let comparisons = #"""
        SELECT META().id AS id FROM _ WHERE kind = 'red'
        SELECT META().id AS id FROM _ WHERE kind != 'red'
        SELECT META().id AS id FROM _ WHERE kind <> 'red'
        SELECT META().id AS id FROM _ WHERE kind == 'green'
        SELECT META().id AS id FROM _ WHERE kind < 'green'
        SELECT META().id AS id FROM _ WHERE kind <= 'green'
        SELECT META().id AS id FROM _ WHERE kind > 'green'
        SELECT META().id AS id FROM _ WHERE kind >= 'Green'
        SELECT META().id AS id FROM _ WHERE small = 2
        SELECT META().id AS id FROM _ WHERE small = 2.0
        SELECT META().id AS id FROM _ WHERE small < 0.5
        SELECT META().id AS id FROM _ WHERE small > -1.25
        SELECT META().id AS id FROM _ WHERE n = 9007199254740993
        SELECT META().id AS id FROM _ WHERE n > 9007199254740992
        SELECT META().id AS id FROM _ WHERE n >= 9223372036854775807
        SELECT META().id AS id FROM _ WHERE n = -9223372036854775808
        SELECT META().id AS id FROM _ WHERE n > 1e299
        SELECT META().id AS id FROM _ WHERE n = 18446744073709551614
        SELECT META().id AS id FROM _ WHERE flag = TRUE
        SELECT META().id AS id FROM _ WHERE flag = 1
        SELECT META().id AS id FROM _ WHERE flag = FALSE
        SELECT META().id AS id FROM _ WHERE flag = 0
        SELECT META().id AS id FROM _ WHERE flag = 'true'
        SELECT META().id AS id FROM _ WHERE flag != TRUE
        SELECT META().id AS id FROM _ WHERE flag > FALSE
        SELECT META().id AS id FROM _ WHERE mixed = '1'
        SELECT META().id AS id FROM _ WHERE mixed = 1
        SELECT META().id AS id FROM _ WHERE mixed = NULL
        SELECT META().id AS id FROM _ WHERE mixed < NULL
        SELECT META().id AS id FROM _ WHERE mixed > NULL
        SELECT META().id AS id FROM _ WHERE mixed >= 'a'
        SELECT META().id AS id FROM _ WHERE mixed = [1, 2]
        SELECT META().id AS id FROM _ WHERE mixed = [TRUE]
        SELECT META().id AS id FROM _ WHERE mixed = [1]
        SELECT META().id AS id FROM _ WHERE mixed = []
        SELECT META().id AS id FROM _ WHERE mixed = {}
        SELECT META().id AS id FROM _ WHERE mixed = {'x': 1}
        SELECT META().id AS id FROM _ WHERE mixed != {'x': TRUE}
        SELECT META().id AS id FROM _ WHERE mixed = $mixed ## {"mixed": [1, 2]}
        SELECT META().id AS id FROM _ WHERE mixed = $mixed ## {"mixed": null}
        SELECT META().id AS id FROM _ WHERE mixed = $mixed ## {"mixed": true}
        SELECT META().id AS id FROM _ WHERE kind = $kind ## {"kind": "blue"}
        SELECT META().id AS id FROM _ WHERE kind = $kind
        SELECT META().id AS id FROM _ WHERE text = ''
        SELECT META().id AS id FROM _ WHERE text = 'é'
        SELECT META().id AS id FROM _ WHERE text = 'it''s'
        SELECT META().id AS id FROM _ WHERE text > 'a' AND text < 'b'
        SELECT META().id AS id FROM _ WHERE text COLLATE NOCASE = 'ABC'
        SELECT META().id AS id FROM _ WHERE (kind = 'GREEN') COLLATE NOCASE
        SELECT META().id AS id FROM _ WHERE small BETWEEN 0 AND 2
        SELECT META().id AS id FROM _ WHERE small NOT BETWEEN 0 AND 2
        SELECT META().id AS id FROM _ WHERE kind BETWEEN 'blue' AND 'green'
        SELECT META().id AS id FROM _ WHERE mixed BETWEEN 1 AND 'b'
        SELECT META().id AS id FROM _ WHERE small BETWEEN `a.b` AND `$m`
        SELECT META().id AS id FROM _ WHERE small = `a.b`
        SELECT META().id AS id FROM _ WHERE `a.b` < `$m`
        SELECT META().id AS id FROM _ WHERE kind = list[0]
        SELECT META().id AS id FROM _ WHERE `where` = {'city': 'Rome', 'at': {'y': 1}}
        SELECT META().id AS id FROM _ WHERE META().id = 't05'
        SELECT META().id AS id FROM _ WHERE META().id > 't35'
        SELECT META().id AS id FROM _ WHERE META().sequence <= 5
        SELECT small < 2 AS less, small = NULL AS isNull, kind > 5 AS above FROM _
        """#

    private static let unknowns = #"""
        SELECT META().id AS id FROM _ WHERE mixed IS NULL
        SELECT META().id AS id FROM _ WHERE mixed IS NOT NULL
        SELECT META().id AS id FROM _ WHERE mixed IS MISSING
        SELECT META().id AS id FROM _ WHERE mixed IS NOT MISSING
        SELECT META().id AS id FROM _ WHERE mixed IS VALUED
        SELECT META().id AS id FROM _ WHERE mixed IS NOT VALUED
        SELECT mixed IS NULL AS a, mixed IS MISSING AS b, mixed IS VALUED AS c FROM _
        SELECT META().id AS id FROM _ WHERE kind IS 'red'
        SELECT META().id AS id FROM _ WHERE kind IS NOT 'red'
        SELECT META().id AS id FROM _ WHERE kind IS DISTINCT FROM 'red'
        SELECT META().id AS id FROM _ WHERE kind IS NOT DISTINCT FROM 'red'
        SELECT META().id AS id FROM _ WHERE kind IS DISTINCT FROM NULL
        SELECT META().id AS id FROM _ WHERE kind IS DISTINCT FROM MISSING
        SELECT META().id AS id FROM _ WHERE small IS NOT DISTINCT FROM `a.b`
        SELECT META().id AS id FROM _ WHERE EXISTS kind
        SELECT META().id AS id FROM _ WHERE NOT EXISTS `where`.city
        SELECT ifmissing(kind, 'none') AS kind FROM _
        SELECT ifnull(kind, 'none') AS kind FROM _
        SELECT ifmissingornull(kind, text, 'none') AS kind FROM _
        SELECT nullif(kind, 'red') AS kind, missingif(small, 2) AS small FROM _
        SELECT isvalued(mixed) AS v FROM _
        """#

    private static let logic = #"""
        SELECT META().id AS id FROM _ WHERE kind = 'red' AND small > 0
        SELECT META().id AS id FROM _ WHERE kind = 'red' OR small > 2
        SELECT META().id AS id FROM _ WHERE NOT kind = 'red'
        SELECT META().id AS id FROM _ WHERE NOT (kind = 'red' OR small > 2)
        SELECT META().id AS id FROM _ WHERE NOT NOT flag
        SELECT META().id AS id FROM _ WHERE flag
        SELECT META().id AS id FROM _ WHERE NOT flag
        SELECT META().id AS id FROM _ WHERE flag AND even
        SELECT META().id AS id FROM _ WHERE small
        SELECT META().id AS id FROM _ WHERE text OR FALSE
        SELECT META().id AS id FROM _ WHERE kind = 'red' AND (flag OR even) AND NOT small = 0
        SELECT META().id AS id FROM _ WHERE kind = 'red' OR kind = 'blue' AND even
        SELECT kind = 'red' AND small > 0 AS a, kind = 'red' OR small > 0 AS o FROM _
        SELECT NOT flag AS n, NOT kind AS k, NOT MISSING AS m FROM _
        SELECT MISSING AND FALSE AS a, MISSING OR TRUE AS b, MISSING AND TRUE AS c FROM items
        SELECT NULL AND TRUE AS a, NULL OR FALSE AS b FROM items
        SELECT META().id AS id FROM _ WHERE NOT kind IN ['red', 'blue']
        SELECT META().id AS id FROM _ WHERE NOT text LIKE 'a%'
        SELECT META().id AS id FROM _ WHERE TRUE
        SELECT META().id AS id FROM _ WHERE MISSING
        """#

    private static let arithmetic = #"""
        SELECT small + 1 AS a, small - 1 AS b, small * 2 AS c FROM _
        SELECT small / 2 AS half, small / 0 AS none, 5 / 15 AS third FROM _
        SELECT small % 3 AS rest, small % 0 AS none, -7 % 3 AS negative FROM _
        SELECT -small AS minus, - -small AS plus, -(-5) AS five FROM _
        SELECT small + `a.b` * `$m` AS a, (small + `a.b`) * `$m` AS b FROM _
        SELECT small - 1 - 1 AS a, small - (1 - 1) AS b FROM _
        SELECT 8 / 4 / 2 AS a, 8 / (4 / 2) AS b FROM items
        SELECT n + 1 AS next FROM _ WHERE n < 9223372036854775807
        SELECT n * 2 AS twice FROM _ WHERE n < 1000
        SELECT text + 1 AS sum FROM _
        SELECT flag + 1 AS sum, kind * 2 AS twice FROM _
        SELECT mixed + 0 AS number FROM _ WHERE isatom(mixed)
        SELECT kind || '-' || kind AS twice FROM _
        SELECT kind || small AS both FROM _
        SELECT 'a' || flag || NULL AS text FROM _
        SELECT META().id AS id FROM _ WHERE small + `a.b` > 3
        SELECT META().id AS id FROM _ WHERE small * small = 4
        SELECT META().id AS id FROM _ WHERE small / 2 = 0.5
        SELECT META().id AS id FROM _ WHERE -small > 0
        SELECT 2 + 3 * 4 AS a, (2 + 3) * 4 AS b, 10 / 4 * 4 AS c, 7.5 % 2 AS d FROM items
        """#

    private static let like = #"""
        SELECT META().id AS id FROM _ WHERE text LIKE 'a%'
        SELECT META().id AS id FROM _ WHERE text LIKE '%b%'
        SELECT META().id AS id FROM _ WHERE text LIKE '_'
        SELECT META().id AS id FROM _ WHERE text LIKE '%'
        SELECT META().id AS id FROM _ WHERE text LIKE ''
        SELECT META().id AS id FROM _ WHERE text LIKE 'abc'
        SELECT META().id AS id FROM _ WHERE text LIKE 'A%'
        SELECT META().id AS id FROM _ WHERE text LIKE '50\%'
        SELECT META().id AS id FROM _ WHERE text LIKE 'a\_b'
        SELECT META().id AS id FROM _ WHERE text LIKE '%\\%'
        SELECT META().id AS id FROM _ WHERE text LIKE '%ë'
        SELECT META().id AS id FROM _ WHERE text LIKE '1_'
        SELECT META().id AS id FROM _ WHERE text NOT LIKE 'a%'
        SELECT META().id AS id FROM _ WHERE text LIKE 'ABC%' COLLATE NOCASE
        SELECT META().id AS id FROM _ WHERE (text LIKE 'äPF%') COLLATE NOCASE
        SELECT META().id AS id FROM _ WHERE text LIKE $p ## {"p": "%c"}
        SELECT META().id AS id FROM _ WHERE kind LIKE list[0]
        SELECT META().id AS id FROM _ WHERE META().id LIKE 't_5'
        SELECT text LIKE 'a%' AS l FROM _
        SELECT META().id AS id FROM _ WHERE kind LIKE 're%' AND text LIKE 'a%'
        """#

    private static let membership = #"""
        SELECT META().id AS id FROM _ WHERE kind IN ['red', 'blue']
        SELECT META().id AS id FROM _ WHERE kind IN ('red', 'blue')
        SELECT META().id AS id FROM _ WHERE kind NOT IN ['red', 'blue']
        SELECT META().id AS id FROM _ WHERE kind IN ['red', NULL]
        SELECT META().id AS id FROM _ WHERE kind NOT IN ['red', MISSING]
        SELECT META().id AS id FROM _ WHERE kind IN []
        SELECT META().id AS id FROM _ WHERE small IN [1, 2.5, 'x']
        SELECT META().id AS id FROM _ WHERE flag IN [1]
        SELECT META().id AS id FROM _ WHERE 'red' IN list
        SELECT META().id AS id FROM _ WHERE 1 IN list
        SELECT META().id AS id FROM _ WHERE TRUE IN list
        SELECT META().id AS id FROM _ WHERE NULL IN list
        SELECT META().id AS id FROM _ WHERE 'red' NOT IN list
        SELECT META().id AS id FROM _ WHERE kind IN list
        SELECT META().id AS id FROM _ WHERE kind IN $kinds ## {"kinds": ["red", "Green", null]}
        SELECT META().id AS id FROM _ WHERE kind NOT IN $kinds ## {"kinds": ["red"]}
        SELECT META().id AS id FROM _ WHERE flag IN $flags ## {"flags": [true]}
        SELECT META().id AS id FROM _ WHERE META().id IN ['t01', 't02', 'nobody']
        SELECT META().id AS id FROM _ WHERE kind COLLATE NOCASE IN ['GREEN', 'BLUE']
        SELECT META().id AS id FROM _ WHERE small IN [`a.b`, `$m`]
        SELECT META().id AS id FROM _ WHERE array_contains(list, 'red')
        SELECT META().id AS id FROM _ WHERE NOT array_contains(list, 1)
        SELECT kind IN ['red'] AS a, 'red' IN list AS b FROM _
        """#
}

extension String {
    /// What stands between the places where a text is.
    fileprivate func parts(by separator: String) -> [String] {
        var parts: [String] = []
        var start = startIndex
        for range in ranges(of: separator) {
            parts.append(String(self[start..<range.lowerBound]))
            start = range.upperBound
        }
        return parts + [String(self[start...])]
    }
}
