// Unknown names, wrong definitions, and wrong sources.
extension LocatedError {
    static let names: [LocatedError] = [
        LocatedError(
            "SELECT total FROM people AS p JOIN orders AS o ON TRUE",
            at: "1:8",
            "the property total belongs to none of the sources; write the alias of "
                + "one before it: p, o"),
        LocatedError(
            "SELECT p.name.last,\n       o.total,\n       discount\nFROM people AS "
                + "p JOIN orders AS o ON TRUE",
            at: "3:8",
            "the property discount belongs to none of the sources; write the alias "
                + "of one before it: p, o"),
        LocatedError(
            "SELECT 'Zürich 日本 👩‍👩‍👧' AS s, x FROM people AS p JOIN orders AS o ON TRUE",
            at: "1:28",
            "the property x belongs to none of the sources; write the alias of one "
                + "before it: p, o"),
        LocatedError(
            "SELECT p.a -- größer\n  , /* 日本 */ b.c FROM people AS p JOIN orders AS o ON TRUE",
            at: "2:14",
            "the property b.c belongs to none of the sources; write the alias of "
                + "one before it: p, o"),
        LocatedError(
            "SELECT * FROM people AS p JOIN orders AS o ON p.id = person",
            at: "1:54",
            "the property person belongs to none of the sources; write the alias "
                + "of one before it: p, o"),
        LocatedError(
            "SELECT LOWER(name) FROM people AS p JOIN orders AS o ON TRUE",
            at: "1:14",
            "the property name belongs to none of the sources; write the alias of "
                + "one before it: p, o"),
        LocatedError(
            "SELECT p.a + - b FROM people AS p JOIN orders AS o ON TRUE",
            at: "1:16",
            "the property b belongs to none of the sources; write the alias of one "
                + "before it: p, o"),
        LocatedError(
            "SELECT {'b': 1, 'a': x} FROM people AS p JOIN orders AS o ON TRUE",
            at: "1:22",
            "the property x belongs to none of the sources; write the alias of one "
                + "before it: p, o"),
        LocatedError(
            "SELECT p.age FROM people AS p JOIN orders AS o ON TRUE WHERE p.age IN (1, age)",
            at: "1:75",
            "the property age belongs to none of the sources; write the alias of "
                + "one before it: p, o"),
        LocatedError(
            "SELECT p.age FROM people AS p JOIN orders AS o ON TRUE WHERE p.age BETWEEN 1 AND age",
            at: "1:82",
            "the property age belongs to none of the sources; write the alias of "
                + "one before it: p, o"),
        LocatedError(
            "SELECT p.age FROM people AS p JOIN orders AS o ON TRUE WHERE p.age = "
                + "$age OR age = $age",
            at: "1:78",
            "the property age belongs to none of the sources; write the alias of "
                + "one before it: p, o"),
        LocatedError(
            "SELECT p.age FROM people AS p JOIN orders AS o ON TRUE WHERE p.a LIKE "
                + "$pattern AND NOT (a LIKE $pattern)",
            at: "1:89",
            "the property a belongs to none of the sources; write the alias of one "
                + "before it: p, o"),
        LocatedError(
            "SELECT CASE WHEN p.age > 1 THEN p.age ELSE age END FROM people AS p "
                + "JOIN orders AS o ON TRUE",
            at: "1:44",
            "the property age belongs to none of the sources; write the alias of "
                + "one before it: p, o"),
        LocatedError(
            "SELECT CASE p.age WHEN age THEN 1 END FROM people AS p JOIN orders AS o ON TRUE",
            at: "1:24",
            "the property age belongs to none of the sources; write the alias of "
                + "one before it: p, o"),
        LocatedError(
            "SELECT p.age FROM people AS p JOIN orders AS o ON TRUE WHERE ANY x IN "
                + "p.likes SATISFIES x = likes END",
            at: "1:93",
            "the property likes belongs to none of the sources; write the alias of "
                + "one before it: p, o"),
        LocatedError(
            "SELECT p.age FROM people AS p JOIN orders AS o ON TRUE WHERE EVERY x "
                + "IN likes SATISFIES x = 1 END",
            at: "1:73",
            "the property likes belongs to none of the sources; write the alias of "
                + "one before it: p, o"),
        LocatedError(
            "SELECT COUNT(*) FILTER (WHERE age > 1) FROM people AS p JOIN orders AS o ON TRUE",
            at: "1:31",
            "the property age belongs to none of the sources; write the alias of "
                + "one before it: p, o"),
        LocatedError(
            "SELECT SUM(p.age) OVER (PARTITION BY age) FROM people AS p JOIN orders AS o ON TRUE",
            at: "1:38",
            "the property age belongs to none of the sources; write the alias of "
                + "one before it: p, o"),
        LocatedError(
            "SELECT p.age FROM people AS p JOIN orders AS o ON TRUE ORDER BY p.age DESC, age",
            at: "1:77",
            "the property age belongs to none of the sources; write the alias of "
                + "one before it: p, o"),
        LocatedError(
            "SELECT META().id FROM people AS p JOIN orders AS o ON TRUE",
            at: "1:8",
            "META() needs the alias of one of the sources: META(p)"),
        LocatedError(
            "SELECT META(s).id FROM (SELECT age FROM people) AS s",
            at: "1:8",
            "META(s) does not name a collection of the query"),
        LocatedError(
            "SELECT s.age, s.email FROM (SELECT age FROM people) AS s",
            at: "1:15",
            "s has no column email, but age"),
    ]

    static let sources: [LocatedError] = [
        LocatedError(
            "SELECT *\nFROM persons",
            at: "2:6",
            "there is no collection persons"),
        LocatedError(
            "SELECT * FROM people AS p\n  LEFT JOIN nobody AS n ON p.id = n.id",
            at: "2:13",
            "there is no collection nobody"),
        LocatedError(
            "SELECT * FROM people AS p JOIN orders AS p ON TRUE",
            at: "1:32",
            "two sources have the name p; give one another with AS"),
        LocatedError(
            "SELECT x FROM people AS p UNNEST [1, 2] AS x",
            at: "1:34",
            "only a property path is allowed after UNNEST, such as p.names"),
        LocatedError(
            "SELECT x FROM people AS p JOIN orders AS o ON TRUE UNNEST p.likes AS "
                + "x UNNEST items AS y",
            at: "1:79",
            "the property items belongs to none of the sources; write the alias of "
                + "one before it: p, o, x"),
        LocatedError(
            "SELECT q.n FROM people AS q JOIN (SELECT r.n FROM people AS r WHERE "
                + "r.n = q.n) AS s ON TRUE",
            at: "1:75",
            "a subquery in FROM cannot see the source q; for a property of that name write r.q.n"),
        LocatedError(
            "WITH w AS (SELECT p.a, b FROM people AS p JOIN orders AS o ON TRUE) SELECT * FROM w",
            at: "1:24",
            "the property b belongs to none of the sources; write the alias of one "
                + "before it: p, o"),
        LocatedError(
            "WITH w AS (SELECT 1), w AS (SELECT 2) SELECT * FROM w",
            at: "1:23",
            "WITH has two queries named w"),
    ]

    static let definitions: [LocatedError] = [
        LocatedError(
            "SELECT a FROM people LET a = age, a = email",
            at: "1:35",
            "LET has two expressions named a"),
        LocatedError(
            "SELECT bad FROM people AS p JOIN orders AS o ON TRUE LET good = p.x, "
                + "bad = 1 + nobody.x",
            at: "1:80",
            "the property nobody.x belongs to none of the sources; write the alias "
                + "of one before it: p, o"),
        LocatedError(
            "SELECT total FROM people LET total = SUM(age) WHERE total > 1",
            at: "1:53",
            "sum() is an aggregate function: it is allowed in SELECT, HAVING and "
                + "ORDER BY, but not inside another one, ANY or EVERY"),
        LocatedError(
            "SELECT p.x, c FROM people AS p JOIN orders AS o ON TRUE LET a = p.x, "
                + "b = a + x, c = b || b",
            at: "1:78",
            "the property x belongs to none of the sources; write the alias of one "
                + "before it: p, o"),
        LocatedError(
            "SELECT age FROM people LET r = RANK(bio) WHERE r > 1",
            at: "1:32",
            "RANK(bio) needs MATCH(bio, …) as a condition that all rows meet"),
    ]
}
