extension ModelQueries {
    static var moreSections: [(String, String)] {
        [
            ("ANY and EVERY", quantifiers), ("CASE", cases), ("functions", functions),
            ("aggregates", aggregates), ("GROUP BY", groups), ("DISTINCT", distinct),
            ("ORDER BY", order), ("LIMIT", limits), ("joins", joins), ("UNNEST", unnest),
            ("LET", bindings), ("sets", sets), ("subqueries", subqueries), ("FROM", from),
            ("WITH", with), ("windows", windows), ("MATCH", match), ("PREDICTION", predictions),
        ]
    }

    private static let quantifiers = #"""
        SELECT META().id AS id FROM _ WHERE ANY x IN list SATISFIES x = 'red' END
        SELECT META().id AS id FROM _ WHERE ANY x IN list SATISFIES x = 1 END
        SELECT META().id AS id FROM _ WHERE ANY x IN list SATISFIES x = TRUE END
        SELECT META().id AS id FROM _ WHERE ANY x IN list SATISFIES x > 2 END
        SELECT META().id AS id FROM _ WHERE ANY x IN list SATISFIES x IS NULL END
        SELECT META().id AS id FROM _ WHERE ANY x IN list SATISFIES x LIKE 'r%' END
        SELECT META().id AS id FROM _ WHERE SOME x IN list SATISFIES x = 'blue' END
        SELECT META().id AS id FROM _ WHERE EVERY x IN list SATISFIES x > 0 END
        SELECT META().id AS id FROM _ WHERE EVERY x IN list SATISFIES x = 'red' END
        SELECT META().id AS id FROM _ WHERE ANY AND EVERY x IN list SATISFIES x > 0 END
        SELECT META().id AS id FROM _ WHERE ANY p IN parts SATISFIES p.p = 2 END
        SELECT META().id AS id FROM _ WHERE ANY p IN parts SATISFIES p.p > 0 AND p.q = 'red' END
        SELECT META().id AS id FROM _ WHERE EVERY p IN parts SATISFIES p.q IS NOT MISSING END
        SELECT META().id AS id FROM _ WHERE ANY AND EVERY p IN parts SATISFIES p.p < 5 END
        SELECT META().id AS id FROM _ WHERE ANY p IN parts SATISFIES ANY t IN p.tags SATISFIES t \#
        = 'red' END END
        SELECT META().id AS id FROM _ WHERE ANY x IN list SATISFIES x = kind END
        SELECT META().id AS id FROM _ WHERE NOT (ANY x IN list SATISFIES x = 'red' END)
        SELECT META().id AS id FROM _ WHERE ANY x IN [1, 2, 3] SATISFIES x = small END
        SELECT META().id AS id FROM _ WHERE ANY x IN $list SATISFIES x = small END ## {"list": \#
        [1, 2]}
        SELECT ANY x IN list SATISFIES x = 1 END AS a, EVERY x IN list SATISFIES x = 1 END AS b \#
        FROM _
        """#

    private static let cases = #"""
        SELECT CASE kind WHEN 'red' THEN 1 WHEN 'blue' THEN 2 ELSE 0 END AS c FROM _
        SELECT CASE kind WHEN 'red' THEN 1 WHEN 'blue' THEN 2 END AS c FROM _
        SELECT CASE WHEN small > 2 THEN 'large' WHEN small >= 0 THEN 'small' ELSE 'none' END AS c \#
        FROM _
        SELECT CASE WHEN small IS MISSING THEN TRUE WHEN small IS NULL THEN FALSE END AS c FROM _
        SELECT CASE flag WHEN TRUE THEN 'yes' WHEN FALSE THEN 'no' ELSE flag END AS c FROM _
        SELECT CASE NULL WHEN mixed THEN 'null' ELSE 'other' END AS c FROM _
        SELECT META().id AS id FROM _ WHERE CASE WHEN kind = 'red' THEN small > 0 ELSE even END
        SELECT CASE WHEN kind = 'red' THEN CASE WHEN small > 0 THEN 'a' ELSE 'b' END ELSE 'c' END \#
        AS c FROM _
        SELECT CASE WHEN MISSING THEN 1 WHEN NULL THEN 2 ELSE 3 END AS c FROM items
        SELECT 1 + CASE kind WHEN 'red' THEN 1 ELSE 2 END AS c FROM _
        """#

    private static let functions = #"""
        SELECT length(text) AS n, upper(kind) AS u, lower(kind) AS l FROM _
        SELECT trim(text) AS t, ltrim(text) AS l, rtrim(text) AS r FROM _
        SELECT substr(text, 1) AS a, substr(text, 0, 2) AS b, substr(text, -1) AS c FROM _
        SELECT position(text, 'b') AS p, contains(text, 'b') AS c FROM _
        SELECT replace(text, 'b', '<>') AS r, reverse(text) AS v FROM _
        SELECT concat(kind, '-', kind) AS c FROM _
        SELECT abs(small) AS a, floor(small) AS f, ceil(small) AS c, round(small) AS r FROM _
        SELECT sign(small) AS s, trunc(small) AS t, sqrt(small) AS q FROM _
        SELECT type(mixed) AS t, isarray(mixed) AS a, isobject(mixed) AS o, isatom(mixed) AS m \#
        FROM _
        SELECT isboolean(mixed) AS b, isnumber(mixed) AS n, isstring(mixed) AS s FROM _
        SELECT tostring(mixed) AS s, tonumber(text) AS n, toboolean(mixed) AS b FROM _
        SELECT toarray(mixed) AS a FROM _
        SELECT array_length(list) AS n, array_count(list) AS c FROM _
        SELECT array_sum(list) AS s, array_avg(list) AS a FROM _
        SELECT array_min(list) AS a, array_max(list) AS b FROM _
        SELECT object_length(`where`) AS n, object_names(`where`) AS names FROM _
        SELECT greatest(small, `a.b`) AS g, least(small, `a.b`) AS l FROM _
        SELECT greatest(kind, small, text) AS g FROM _
        SELECT div(small, 2) AS d FROM _
        SELECT META().id AS id FROM _ WHERE length(text) = 3
        SELECT META().id AS id FROM _ WHERE upper(kind) = 'GREEN'
        SELECT META().id AS id FROM _ WHERE array_length(list) > 2
        SELECT META().id AS id FROM _ WHERE array_count(list) = 0
        SELECT META().id AS id FROM _ WHERE type(mixed) = 'array'
        SELECT META().id AS id FROM _ WHERE isnumber(mixed) AND mixed > 0
        """#

    private static let aggregates = #"""
        SELECT COUNT(*) AS n FROM _
        SELECT COUNT(*) AS n FROM _ WHERE kind = 'red'
        SELECT COUNT(*) AS n FROM _ WHERE kind = 'nothing'
        SELECT COUNT(kind) AS n, COUNT(small) AS s FROM _
        SELECT SUM(small) AS s, AVG(small) AS a, MIN(small) AS l, MAX(small) AS m FROM _
        SELECT SUM(small) AS s, AVG(small) AS a, MIN(small) AS l FROM _ WHERE kind = 'nothing'
        SELECT MIN(kind) AS a, MAX(kind) AS b, MIN(mixed) AS c FROM _
        SELECT MAX(text) AS m, MIN(n) AS n FROM _
        SELECT SUM(even) AS s FROM _
        SELECT COUNT(DISTINCT kind) AS n, COUNT(DISTINCT small) AS s FROM _
        SELECT COUNT(DISTINCT flag) AS n, COUNT(DISTINCT mixed) AS a FROM _
        SELECT SUM(DISTINCT small) AS s FROM _
        SELECT COUNT(*) FILTER (WHERE small > 0) AS n FROM _
        SELECT SUM(small) FILTER (WHERE kind = 'red') AS s, COUNT(*) AS n FROM _
        SELECT ARRAY_AGG(small) AS a FROM _ WHERE small > 2
        SELECT ARRAY_AGG(DISTINCT kind) AS a FROM _
        SELECT ARRAY_AGG(kind) AS a FROM _ WHERE kind = 'nothing'
        SELECT COUNT(*) + 1 AS n, SUM(small) / COUNT(small) AS mean FROM _
        SELECT MAX(META().id) AS m FROM _
        SELECT COUNT(*) AS n FROM shop.orders
        SELECT AVG(price) AS a FROM items WHERE price > 0
        SELECT MAX(small + 1) AS m, MIN(-small) AS l FROM _
        """#

    private static let groups = #"""
        SELECT kind, COUNT(*) AS n FROM _ GROUP BY kind
        SELECT kind, COUNT(*) AS n FROM _ GROUP BY kind ORDER BY kind
        SELECT kind, COUNT(*) AS n FROM _ GROUP BY kind ORDER BY n DESC, kind
        SELECT flag, COUNT(*) AS n FROM _ GROUP BY flag
        SELECT mixed AS a, COUNT(*) AS n FROM _ AS t GROUP BY mixed
        SELECT n AS v, COUNT(*) AS c FROM _ GROUP BY n
        SELECT kind, even, COUNT(*) AS n FROM _ GROUP BY kind, even
        SELECT `where`.city AS city, SUM(small) AS s FROM _ GROUP BY `where`.city
        SELECT kind, MIN(small) AS l, MAX(small) AS m, AVG(small) AS a FROM _ GROUP BY kind
        SELECT kind, COUNT(*) AS n FROM _ GROUP BY kind HAVING COUNT(*) > 5
        SELECT kind, COUNT(*) AS n FROM _ GROUP BY kind HAVING kind IS VALUED AND SUM(small) > 0
        SELECT kind, COUNT(*) AS n FROM _ WHERE small > 0 GROUP BY kind HAVING n > 1
        SELECT kind FROM _ GROUP BY kind
        SELECT COUNT(*) AS n FROM _ GROUP BY kind
        SELECT upper(kind) AS k, COUNT(*) AS n FROM _ GROUP BY upper(kind)
        SELECT small > 1 AS large, COUNT(*) AS n FROM _ GROUP BY small > 1
        SELECT small % 2 AS rest, COUNT(*) AS n FROM _ GROUP BY small % 2 ORDER BY rest
        SELECT array_length(list) AS l, COUNT(*) AS n FROM _ GROUP BY array_length(list) ORDER BY l
        SELECT kind AS k, COUNT(DISTINCT small) AS n FROM _ GROUP BY k
        SELECT kind, ARRAY_AGG(small) AS a FROM _ GROUP BY kind
        SELECT kind, COUNT(*) AS n FROM _ GROUP BY kind ORDER BY COUNT(*), kind LIMIT 2
        SELECT kind, SUM(small) FILTER (WHERE even) AS e, SUM(small) AS s FROM _ GROUP BY kind
        SELECT kind, COUNT(*) AS n FROM _ GROUP BY kind ORDER BY MAX(small), kind
        SELECT list, ANY x IN list SATISFIES x = 'red' END AS r, COUNT(*) AS n FROM _ GROUP BY list
        SELECT list, EVERY x IN list SATISFIES x > 0 END AS r FROM _ GROUP BY list
        SELECT array_count(list) AS c, COUNT(*) AS n FROM _ GROUP BY list HAVING EXISTS list
        SELECT kind, ANY x IN [1, 2, 3] SATISFIES x = COUNT(*) END AS few FROM _ GROUP BY kind
        SELECT kind, n FROM _ GROUP BY kind, n HAVING ANY x IN ['red', 'blue'] SATISFIES x = kind \#
        AND x > 'c' END
        """#

    private static let distinct = #"""
        SELECT DISTINCT kind FROM _
        SELECT DISTINCT flag FROM _
        SELECT DISTINCT mixed AS a FROM _ AS t
        SELECT DISTINCT kind, even FROM _
        SELECT DISTINCT n FROM _
        SELECT DISTINCT kind FROM _ ORDER BY kind
        SELECT DISTINCT kind FROM _ ORDER BY kind DESC LIMIT 3
        SELECT DISTINCT small > 1 AS large FROM _
        SELECT DISTINCT `where`.at AS at FROM _
        SELECT ALL kind FROM _
        SELECT DISTINCT 1 AS one FROM _
        """#

    private static let order = #"""
        SELECT META().id AS id FROM _ ORDER BY META().id
        SELECT META().id AS id FROM _ ORDER BY META().id DESC
        SELECT kind, META().id AS id FROM _ ORDER BY kind, META().id
        SELECT kind, META().id AS id FROM _ ORDER BY kind DESC, META().id
        SELECT mixed AS a, META().id AS id FROM _ WHERE isatom(mixed) OR mixed IS NULL ORDER BY \#
        mixed, META().id
        SELECT small, META().id AS id FROM _ ORDER BY small NULLS LAST, META().id
        SELECT small, META().id AS id FROM _ ORDER BY small DESC NULLS FIRST, META().id
        SELECT n, META().id AS id FROM _ ORDER BY n, META().id
        SELECT text, META().id AS id FROM _ ORDER BY text COLLATE NOCASE, META().id
        SELECT text, META().id AS id FROM _ ORDER BY text, META().id
        SELECT small + 1 AS next, META().id AS id FROM _ ORDER BY next DESC, id
        SELECT META().id AS id FROM _ ORDER BY small * -1, META().id DESC
        SELECT META().id AS id FROM _ ORDER BY length(text), META().id
        SELECT META().id AS id FROM _ ORDER BY kind = 'red', META().id
        SELECT META().id AS id FROM _ ORDER BY `where`.at.x, `where`.at.y, META().id
        SELECT flag FROM _ ORDER BY flag
        SELECT META().id AS id FROM _ ORDER BY META().sequence DESC
        """#

    private static let limits = #"""
        SELECT META().id AS id FROM _ ORDER BY META().id LIMIT 5
        SELECT META().id AS id FROM _ ORDER BY META().id LIMIT 5 OFFSET 3
        SELECT META().id AS id FROM _ ORDER BY META().id OFFSET 35
        SELECT META().id AS id FROM _ ORDER BY META().id OFFSET 3 LIMIT 5
        SELECT META().id AS id FROM _ ORDER BY META().id LIMIT 0
        SELECT META().id AS id FROM _ ORDER BY META().id LIMIT -1
        SELECT META().id AS id FROM _ ORDER BY META().id LIMIT $n OFFSET $o ## {"n": 4, "o": 2}
        SELECT META().id AS id FROM _ ORDER BY META().id LIMIT 1000 OFFSET 1000
        SELECT META().id AS id FROM _ LIMIT 3
        SELECT kind, META().id AS id FROM _ ORDER BY kind LIMIT 7
        SELECT META().id AS id FROM _ ORDER BY META().id LIMIT 1 + 2
        """#

    private static let joins = #"""
        SELECT t._id AS t, i.name AS name FROM _ AS t JOIN items AS i ON t.item = META(i).id
        SELECT t._id AS t, i.name AS name FROM _ AS t INNER JOIN items AS i ON META(i).id = t.item
        SELECT t._id AS t, i.name AS name FROM _ AS t LEFT JOIN items AS i ON t.item = META(i).id
        SELECT t._id AS t, i._id AS i FROM _ AS t LEFT OUTER JOIN items AS i ON t.kind = i.kind
        SELECT t._id AS t, i._id AS i FROM _ AS t CROSS JOIN items AS i
        SELECT t._id AS t, i._id AS i FROM _ AS t, items AS i WHERE t.item = i._id
        SELECT t._id AS t, i._id AS i FROM _ AS t JOIN items AS i ON t.kind = i.kind AND t.small \#
        > i.price
        SELECT t._id AS t FROM _ AS t LEFT JOIN items AS i ON t.item = i._id WHERE i._id IS MISSING
        SELECT t._id AS t, i.name AS n FROM _ AS t LEFT JOIN items AS i ON t.item = i._id AND \#
        i.price > 1
        SELECT o._id AS o, i.name AS n FROM shop.orders AS o JOIN items AS i ON o.item = META(i).id
        SELECT o._id AS o, i.name AS n, t._id AS t FROM shop.orders AS o JOIN items AS i ON \#
        o.item = i._id JOIN _ AS t ON t.item = i._id
        SELECT o._id AS o, i.name AS n, t._id AS t FROM shop.orders AS o LEFT JOIN items AS i ON \#
        o.item = i._id LEFT JOIN _ AS t ON t.item = i._id AND t.even
        SELECT i.name AS n, COUNT(*) AS c FROM _ AS t JOIN items AS i ON t.item = i._id GROUP BY \#
        i.name
        SELECT i.name AS n, COUNT(t.item) AS c FROM items AS i LEFT JOIN _ AS t ON t.item = i._id \#
        GROUP BY i.name
        SELECT a._id AS a, b._id AS b FROM items AS a JOIN items AS b ON a.kind = b.kind AND \#
        a._id < b._id
        SELECT a._id AS a, b._id AS b FROM items AS a JOIN items AS b ON a.kind = b.kind ORDER BY \#
        a._id, b._id LIMIT 9
        SELECT t._id AS t, i._id AS i FROM _ AS t JOIN items AS i WHERE t.small = i.price
        SELECT t._id AS t, i.name AS n FROM _ AS t LEFT JOIN items AS i ON t.item = i._id ORDER \#
        BY i.name DESC, t._id
        SELECT DISTINCT i.kind AS k FROM _ AS t JOIN items AS i ON t.item = i._id
        SELECT COUNT(*) AS n FROM _ AS t LEFT JOIN items AS i ON FALSE
        SELECT t._id AS t, i.tags AS tags FROM _ AS t JOIN items AS i ON t.item = i._id WHERE ANY \#
        x IN i.tags SATISFIES x = 'red' END
        """#

    private static let unnest = #"""
        SELECT t._id AS id, y AS y FROM _ AS t UNNEST t.list AS x UNNEST x AS y
        SELECT t._id AS id FROM _ AS t UNNEST t.list AS x WHERE ANY y IN x SATISFIES y > 1 END
        SELECT t._id AS id, x AS x FROM _ AS t UNNEST t.list AS x
        SELECT t._id AS id, list AS x FROM _ AS t UNNEST t.list
        SELECT t._id AS id, x AS x FROM _ AS t LEFT UNNEST t.list AS x
        SELECT t._id AS id FROM _ AS t UNNEST t.list AS x WHERE x = 'red'
        SELECT t._id AS id, x AS x FROM _ AS t UNNEST t.list AS x WHERE x > 1 AND t.even
        SELECT t._id AS id, p.p AS p, p.q AS q FROM _ AS t UNNEST t.parts AS p
        SELECT t._id AS id, p AS p FROM _ AS t UNNEST t.parts AS p WHERE p.q = 'red'
        SELECT t._id AS id, p.tags[0] AS first FROM _ AS t UNNEST t.parts AS p
        SELECT t._id AS id, g AS tag FROM _ AS t UNNEST t.parts AS p UNNEST p.tags AS g
        SELECT t._id AS id, p.p AS p, g AS tag FROM _ AS t LEFT UNNEST t.parts AS p LEFT UNNEST \#
        p.tags AS g
        SELECT x AS x, COUNT(*) AS n FROM _ AS t UNNEST t.list AS x GROUP BY x
        SELECT x AS x, COUNT(*) AS n FROM _ AS t UNNEST t.list AS x GROUP BY x ORDER BY n DESC, x \#
        LIMIT 4
        SELECT p.q AS q, SUM(p.p) AS s FROM _ AS t UNNEST t.parts AS p GROUP BY p.q
        SELECT DISTINCT x AS x FROM _ AS t UNNEST t.list AS x
        SELECT COUNT(*) AS n FROM _ AS t UNNEST t.list AS x
        SELECT COUNT(*) AS n FROM _ AS t UNNEST t.list AS x WHERE x = TRUE
        SELECT COUNT(*) AS n FROM _ AS t UNNEST t.list AS x WHERE x IS NULL
        SELECT t._id AS id, x AS x, i.name AS n FROM _ AS t JOIN items AS i ON t.item = i._id \#
        UNNEST i.tags AS x
        SELECT t._id AS id, x AS x, y AS y FROM _ AS t UNNEST t.list AS x UNNEST t.list AS y \#
        WHERE x = y
        SELECT t._id AS id, x AS x FROM _ AS t UNNEST t.list AS x ORDER BY t._id, x NULLS LAST
        """#

    private static let bindings = #"""
        SELECT total AS total FROM _ LET total = small + `a.b` WHERE total > 1
        SELECT k AS k, COUNT(*) AS n FROM _ LET k = upper(kind) GROUP BY k
        SELECT c AS c FROM _ LET p = `where`, c = p.city WHERE c IS VALUED
        SELECT META().id AS id FROM _ LET big = small > 2 WHERE big
        SELECT x AS x, t._id AS id FROM _ AS t LET x = t.small * 2 ORDER BY x, id
        SELECT a + b AS s FROM _ LET a = small, b = a * 2
        """#

    private static let sets = #"""
        SELECT kind FROM _ UNION SELECT kind FROM items
        SELECT kind FROM _ UNION ALL SELECT kind FROM items
        SELECT kind FROM _ INTERSECT SELECT kind FROM items
        SELECT kind FROM _ EXCEPT SELECT kind FROM items
        SELECT flag AS v FROM _ UNION SELECT small AS v FROM _
        SELECT flag AS v FROM _ INTERSECT SELECT small AS v FROM _
        SELECT flag AS v FROM _ EXCEPT SELECT small AS v FROM _
        SELECT kind FROM _ UNION SELECT kind FROM items ORDER BY kind
        SELECT kind FROM _ UNION SELECT kind FROM items ORDER BY kind DESC LIMIT 2
        SELECT kind FROM _ UNION SELECT kind FROM items UNION SELECT q AS kind FROM _ AS t UNNEST \#
        t.parts AS p LET q = p.q
        SELECT kind FROM _ UNION ALL SELECT kind FROM items EXCEPT SELECT 'red' AS kind FROM items
        SELECT kind FROM _ UNION SELECT kind FROM items INTERSECT SELECT 'red' AS kind FROM items
        (SELECT kind FROM _ ORDER BY META().id LIMIT 3) UNION ALL (SELECT kind FROM items ORDER \#
        BY META().id LIMIT 2)
        SELECT kind, small AS v FROM _ UNION SELECT kind, price AS v FROM items
        SELECT COUNT(*) AS n FROM _ UNION ALL SELECT COUNT(*) AS n FROM items
        """#

    private static let subqueries = #"""
        SELECT META().id AS id FROM _ WHERE small > (SELECT AVG(price) AS a FROM items)
        SELECT META().id AS id FROM _ WHERE item IN (SELECT META(i).id AS id FROM items AS i \#
        WHERE i.price > 0)
        SELECT META().id AS id FROM _ WHERE item NOT IN (SELECT META(i).id AS id FROM items AS i \#
        WHERE i.price > 0)
        SELECT META().id AS id FROM _ WHERE kind IN (SELECT i.kind FROM items AS i)
        SELECT META().id AS id FROM _ WHERE kind NOT IN (SELECT i.kind FROM items AS i WHERE \#
        i.kind IS NOT MISSING)
        SELECT t._id AS id FROM _ AS t WHERE EXISTS (SELECT 1 AS one FROM shop.orders AS o WHERE \#
        o.item = t.item)
        SELECT t._id AS id FROM _ AS t WHERE NOT EXISTS (SELECT 1 AS one FROM shop.orders AS o \#
        WHERE o.item = t.item)
        SELECT i._id AS id, (SELECT COUNT(*) AS n FROM shop.orders AS o WHERE o.item = i._id) AS \#
        n FROM items AS i
        SELECT i._id AS id, (SELECT SUM(o.count) AS s FROM shop.orders AS o WHERE o.item = i._id) \#
        AS s FROM items AS i
        SELECT i._id AS id, (SELECT o.note FROM shop.orders AS o WHERE o.item = i._id ORDER BY \#
        o._id LIMIT 1) AS note FROM items AS i
        SELECT i._id AS id FROM items AS i WHERE (SELECT COUNT(*) AS n FROM _ AS t WHERE t.item = \#
        i._id) > 2
        SELECT i._id AS id FROM items AS i ORDER BY (SELECT COUNT(*) AS n FROM _ AS t WHERE \#
        t.item = i._id) DESC, i._id
        SELECT i.kind AS k, COUNT(*) AS n FROM items AS i GROUP BY i.kind HAVING COUNT(*) > \#
        (SELECT COUNT(*) AS m FROM shop.orders AS o WHERE o.note = 'a')
        SELECT t._id AS id FROM _ AS t WHERE t.small = (SELECT MAX(u.small) AS m FROM _ AS u \#
        WHERE u.kind = t.kind)
        SELECT t._id AS id FROM _ AS t WHERE EXISTS (SELECT 1 AS one FROM items AS i WHERE i._id \#
        = t.item AND EXISTS (SELECT 1 AS one FROM shop.orders AS o WHERE o.item = i._id AND \#
        o.count > t.small))
        SELECT (SELECT MAX(price) AS m FROM items) AS m FROM shop.orders
        SELECT t._id AS id, (SELECT COUNT(*) AS c FROM items AS i UNNEST t.list AS x) AS c FROM _ \#
        AS t
        SELECT t._id AS id FROM _ AS t WHERE EXISTS (SELECT 1 AS one FROM items AS i UNNEST \#
        t.list AS x WHERE x = 'red')
        SELECT t.kind, (SELECT COUNT(*) AS m FROM items AS i WHERE i.kind = t.kind) AS m FROM _ \#
        AS t GROUP BY t.kind
        SELECT t.kind IN (SELECT i.kind FROM items AS i) AS k, COUNT(*) AS n FROM _ AS t GROUP BY \#
        t.kind
        SELECT t.kind FROM _ AS t GROUP BY t.kind HAVING EXISTS (SELECT 1 AS one FROM items AS i \#
        WHERE i.kind = t.kind)
        SELECT t.kind FROM _ AS t GROUP BY t.kind HAVING COUNT(*) > (SELECT COUNT(*) AS m FROM \#
        items AS i WHERE i.kind = t.kind)
        SELECT t.kind FROM _ AS t GROUP BY t.kind HAVING COUNT(*) IN (SELECT COUNT(*) + 1 AS m \#
        FROM items AS i WHERE i.kind != t.kind GROUP BY i.price)
        SELECT META().id AS id FROM _ WHERE small IN (SELECT price FROM items UNION SELECT count \#
        FROM shop.orders)
        SELECT t._id AS id FROM _ AS t WHERE (t.kind IN (SELECT x AS x FROM items AS i UNNEST \#
        i.tags AS x)) = TRUE
        """#

    private static let from = #"""
        SELECT q.k AS k FROM (SELECT kind AS k FROM _ WHERE small > 0) AS q
        SELECT q.k AS k, COUNT(*) AS n FROM (SELECT kind AS k FROM _ WHERE small > 0) AS q GROUP \#
        BY q.k
        SELECT AVG(q.n) AS a, MAX(q.n) AS m FROM (SELECT kind, COUNT(*) AS n FROM _ GROUP BY \#
        kind) AS q
        SELECT q.id AS id, i.name AS n FROM (SELECT META().id AS id, item FROM _ WHERE even) AS q \#
        JOIN items AS i ON q.item = i._id
        SELECT q.* FROM (SELECT kind, small FROM _) AS q
        SELECT q.p.city AS c FROM (SELECT `where` AS p FROM _) AS q
        SELECT q.f AS f FROM (SELECT flag AS f FROM _) AS q WHERE q.f = TRUE
        SELECT DISTINCT q.f AS f FROM (SELECT flag AS f FROM _) AS q
        SELECT q.id AS id FROM (SELECT META().id AS id FROM _ ORDER BY META().id LIMIT 5) AS q
        SELECT COUNT(*) AS n FROM (SELECT DISTINCT kind FROM _) AS q
        SELECT q.k AS k FROM (SELECT kind AS k FROM _ UNION SELECT kind AS k FROM items) AS q \#
        ORDER BY q.k
        SELECT t._id AS id, q.n AS n FROM _ AS t LEFT JOIN (SELECT o.item AS item, COUNT(*) AS n \#
        FROM shop.orders AS o GROUP BY o.item) AS q ON q.item = t.item
        SELECT k AS k FROM (SELECT kind AS k FROM _) AS q WHERE k = 'red'
        SELECT x AS x FROM (SELECT list AS l FROM _) AS q UNNEST q.l AS x
        """#

    private static let with = #"""
        WITH red AS (SELECT META().id AS id, small FROM _ WHERE kind = 'red') SELECT r.id AS id \#
        FROM red AS r WHERE r.small > 0
        WITH red AS (SELECT META().id AS id FROM _ WHERE kind = 'red') SELECT COUNT(*) AS n FROM red
        WITH c AS (SELECT kind AS k, COUNT(*) AS n FROM _ GROUP BY kind) SELECT c.k AS k FROM c \#
        WHERE c.n = (SELECT MAX(d.n) AS m FROM c AS d)
        WITH a AS (SELECT META().id AS id, price FROM items), b AS (SELECT a.id AS id FROM a \#
        WHERE a.price > 0) SELECT b.id AS id FROM b
        WITH a AS (SELECT META().id AS id FROM items) SELECT t._id AS t, a.id AS i FROM _ AS t \#
        JOIN a ON t.item = a.id
        WITH a AS (SELECT kind AS k FROM _), b AS (SELECT kind AS k FROM items) SELECT k AS k \#
        FROM a EXCEPT SELECT k AS k FROM b
        """#

    private static let windows = #"""
        SELECT META().id AS id, row_number() OVER (ORDER BY META().id) AS n FROM _
        SELECT META().id AS id, row_number() OVER (PARTITION BY kind ORDER BY META().id) AS n FROM _
        SELECT small, rank() OVER (ORDER BY small) AS r, dense_rank() OVER (ORDER BY small) AS d \#
        FROM _
        SELECT META().id AS id, SUM(small) OVER (ORDER BY META().id) AS s FROM _
        SELECT META().id AS id, SUM(small) OVER (PARTITION BY kind) AS s FROM _
        SELECT META().id AS id, COUNT(*) OVER () AS n FROM _
        SELECT META().id AS id, AVG(small) OVER (ORDER BY META().id ROWS BETWEEN 1 PRECEDING AND \#
        1 FOLLOWING) AS a FROM _
        SELECT META().id AS id, lag(kind) OVER (ORDER BY META().id) AS before, lead(kind) OVER \#
        (ORDER BY META().id) AS next FROM _
        SELECT META().id AS id, first_value(small) OVER (PARTITION BY kind ORDER BY META().id) AS \#
        f FROM _
        SELECT kind, COUNT(*) AS n, rank() OVER (ORDER BY COUNT(*) DESC) AS r FROM _ GROUP BY kind
        SELECT META().id AS id, MAX(small) OVER (PARTITION BY flag ORDER BY META().id) AS m FROM _
        SELECT q.id AS id FROM (SELECT META().id AS id, row_number() OVER (PARTITION BY kind \#
        ORDER BY META().id) AS n FROM _) AS q WHERE q.n = 1
        """#

    private static let match = #"""
        SELECT META().id AS id FROM _ WHERE MATCH(byWords, 'quick')
        SELECT META().id AS id FROM _ WHERE MATCH(byWords, 'quick fox*')
        SELECT META().id AS id FROM _ WHERE MATCH(byWords, 'quick OR dog')
        SELECT META().id AS id FROM _ WHERE MATCH(byWords, 'nothing')
        SELECT META().id AS id FROM _ WHERE MATCH(byWords, 'the') AND kind = 'red'
        SELECT META().id AS id FROM _ WHERE even AND MATCH(byWords, $words) ## {"words": "lazy"}
        SELECT META().id AS id FROM _ WHERE MATCH(byWords, 'the') ORDER BY small, META().id LIMIT 4
        SELECT COUNT(*) AS n FROM _ WHERE MATCH(byWords, 'dog')
        SELECT kind, COUNT(*) AS n FROM _ WHERE MATCH(byWords, 'the OR dog') GROUP BY kind
        SELECT t._id AS id, i.name AS n FROM _ AS t JOIN items AS i ON t.item = i._id \#
        WHERE MATCH(t.byWords, 'quick')
        SELECT t._id AS id, x AS x FROM _ AS t UNNEST t.list AS x WHERE MATCH(t.byWords, 'over')
        SELECT META().id AS id FROM _ WHERE MATCH(byWords, 'jump') AND MATCH(byWords, 'the')
        SELECT META().id AS id FROM _ WHERE MATCH(byWords, 'lazy') OR kind = 'green'
        SELECT META().id AS id FROM _ WHERE NOT MATCH(byWords, 'lazy') AND kind = 'red'
        """#

    private static let predictions = #"""
        SELECT PREDICTION('query model measure', {'text': text}, .size) AS s FROM _
        SELECT PREDICTION('query model measure', {'text': text}, .loud) AS l FROM _
        SELECT PREDICTION('query model measure', {'text': text}) AS a FROM _
        SELECT META().id AS id FROM _ \#
        WHERE PREDICTION('query model measure', {'text': text}, .size) = 3
        SELECT META().id AS id FROM _ \#
        WHERE PREDICTION('query model measure', {'text': text}, .size) > 3 AND even
        SELECT META().id AS id FROM _ \#
        WHERE PREDICTION('query model measure', {'text': text}, .loud) = TRUE
        SELECT META().id AS id FROM _ \#
        WHERE PREDICTION('query model measure', {'text': kind}, .size) = 3
        SELECT PREDICTION('query model measure', {'text': text}, .size) AS s, COUNT(*) AS n \#
        FROM _ GROUP BY PREDICTION('query model measure', {'text': text}, .size)
        SELECT META().id AS id FROM _ \#
        ORDER BY PREDICTION('query model measure', {'text': text}, .size) DESC, META().id
        SELECT t._id AS id FROM _ AS t \#
        WHERE PREDICTION('query model measure', {'text': t.text}, .size) = 4
        SELECT PREDICTION('query model measure', {'other': text}, .size) AS s FROM _
        """#
}
