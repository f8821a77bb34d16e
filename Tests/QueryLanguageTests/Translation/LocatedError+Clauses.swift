// Expressions in clauses where they are not allowed, and what no plan can serve.
extension LocatedError {
    static let subqueries: [LocatedError] = [
        LocatedError(
            "SELECT (SELECT age, email FROM people LIMIT 1) AS x FROM people",
            at: "1:9",
            "a scalar subquery must have 1 column, not 2"),
        LocatedError(
            "SELECT age FROM people WHERE age IN (SELECT age, email FROM people)",
            at: "1:38",
            "a subquery after IN must have 1 column, not 2"),
        LocatedError(
            "SELECT age FROM people WHERE EXISTS (SELECT 1 FROM people AS p JOIN "
                + "orders AS o ON TRUE WHERE x.b = 1)",
            at: "1:95",
            "the property x.b belongs to none of the sources; write the alias of "
                + "one before it: p, o"),
        LocatedError(
            "SELECT age FROM people UNION SELECT age, email FROM people",
            at: "1:30",
            "UNION needs queries with equally many columns: 1 before it, 2 after it"),
        LocatedError(
            "SELECT age FROM people\nUNION SELECT age FROM orders\nORDER BY age, email",
            at: "3:15",
            "the result has no column email, but age"),
        LocatedError(
            "SELECT (SELECT COUNT(*) FROM orders WHERE COUNT(*) = 1) = (SELECT "
                + "COUNT(*) FROM orders) AS x FROM people",
            at: "1:43",
            "count() is an aggregate function: it is allowed in SELECT, HAVING and "
                + "ORDER BY, but not inside another one, ANY or EVERY"),
    ]

    static let aggregates: [LocatedError] = [
        LocatedError(
            "SELECT MAX(age) FROM people WHERE MAX(age) > 3",
            at: "1:35",
            "max() is an aggregate function: it is allowed in SELECT, HAVING and "
                + "ORDER BY, but not inside another one, ANY or EVERY"),
        LocatedError(
            "SELECT COUNT(*) FROM people AS p JOIN orders AS o ON COUNT(*) = 1 "
                + "HAVING COUNT(*) = 1",
            at: "1:54",
            "count() is an aggregate function: it is allowed in SELECT, HAVING and "
                + "ORDER BY, but not inside another one, ANY or EVERY"),
        LocatedError(
            "SELECT MAX(age), MIN(MAX(age)) FROM people",
            at: "1:22",
            "max() is an aggregate function: it is allowed in SELECT, HAVING and "
                + "ORDER BY, but not inside another one, ANY or EVERY"),
        LocatedError(
            "SELECT age FROM people GROUP BY age HAVING ANY x IN [1, 2] SATISFIES "
                + "COUNT(*) > x END",
            at: "1:70",
            "count() is an aggregate function: it is allowed in SELECT, HAVING and "
                + "ORDER BY, but not inside another one, ANY or EVERY"),
        LocatedError(
            "SELECT SUM(age) AS total FROM people WHERE age > 1 AND total > 3",
            at: "1:56",
            "sum() is an aggregate function: it is allowed in SELECT, HAVING and "
                + "ORDER BY, but not inside another one, ANY or EVERY"),
        LocatedError(
            "SELECT age FROM people GROUP BY email, COUNT(*)",
            at: "1:40",
            "GROUP BY cannot be an aggregate function"),
        LocatedError(
            "SELECT age FROM people HAVING age > 1",
            at: "1:31",
            "HAVING needs GROUP BY, or an aggregate function as a result"),
        LocatedError(
            "SELECT age FROM people ORDER BY email, COUNT(*) DESC",
            at: "1:40",
            "ORDER BY an aggregate function needs GROUP BY, or such a function as a result"),
        LocatedError(
            "SELECT age FROM people WHERE ROW_NUMBER() OVER (ORDER BY age) = 1",
            at: "1:30",
            "row_number() OVER (…) is allowed in SELECT and ORDER BY only"),
        LocatedError(
            "SELECT age, SUM(age) OVER (ORDER BY age ROWS UNBOUNDED FOLLOWING) FROM people",
            at: "1:13",
            "a frame cannot begin at UNBOUNDED FOLLOWING or end at UNBOUNDED PRECEDING"),
    ]

    static let columns: [LocatedError] = [
        LocatedError(
            "SELECT age AS a, email AS a FROM people",
            at: "1:27",
            "two results have the alias a"),
        LocatedError(
            "SELECT age FROM people ORDER BY age, 2",
            at: "1:38",
            "ORDER BY 2: the result has 1 column"),
        LocatedError(
            "SELECT age, COUNT(*) FROM people GROUP BY 3",
            at: "1:43",
            "GROUP BY 3: the result has 2 columns"),
        LocatedError(
            "SELECT age, COUNT(*) FROM people GROUP BY age, 2",
            at: "1:48",
            "count() is an aggregate function: it is allowed in SELECT, HAVING and "
                + "ORDER BY, but not inside another one, ANY or EVERY"),
        LocatedError(
            "SELECT age FROM people UNION SELECT age FROM people ORDER BY 0",
            at: "1:62",
            "ORDER BY 0: the result has 1 column"),
        LocatedError(
            "SELECT age FROM people LIMIT age",
            at: "1:30",
            "LIMIT and OFFSET cannot depend on a document"),
        LocatedError(
            "SELECT age FROM people LIMIT $n OFFSET 'x'",
            at: "1:40",
            "LIMIT and OFFSET need an integer"),
    ]

    static let plans: [LocatedError] = [
        LocatedError(
            "SELECT age FROM people WHERE age = 1 OR MATCH(name, 'x')",
            at: "1:41",
            "there is no full-text index name of a collection of the query"),
        LocatedError(
            "SELECT age FROM people ORDER BY age, RANK(bio)",
            at: "1:38",
            "RANK(bio) needs MATCH(bio, …) as a condition that all rows meet"),
        LocatedError(
            "SELECT (SELECT RANK(bio) FROM people WHERE MATCH(bio, $w)) AS a, "
                + "RANK(bio) FROM people",
            at: "1:66",
            "RANK(bio) needs MATCH(bio, …) as a condition that all rows meet"),
        LocatedError(
            "SELECT age FROM people WHERE age > 1 AND email LIKE $p ESCAPE $e COLLATE NOCASE",
            at: "1:42",
            "LIKE with this collation accepts only ESCAPE '\\'"),
        LocatedError(
            "SELECT age FROM people ORDER BY APPROX_VECTOR_DISTANCE(face, $v)",
            at: "1:33",
            "APPROX_VECTOR_DISTANCE() needs a LIMIT if there is no other condition"),
        LocatedError(
            "SELECT age FROM people ORDER BY APPROX_VECTOR_DISTANCE(face, $v, 'cosine') LIMIT 3",
            at: "1:66",
            "the vector index measures euclidean2, not cosine"),
        LocatedError(
            "SELECT age FROM people ORDER BY APPROX_VECTOR_DISTANCE(face, $v, "
                + "'l2_squared', 0) LIMIT 3",
            at: "1:80",
            "the fourth argument of APPROX_VECTOR_DISTANCE() is a positive integer"),
        LocatedError(
            "SELECT age FROM people WHERE age = 1 AND (age = 2 OR "
                + "APPROX_VECTOR_DISTANCE(face, $v) < 1)",
            at: "1:43",
            "APPROX_VECTOR_DISTANCE() is not allowed inside OR"),
        LocatedError(
            "SELECT age FROM people ORDER BY APPROX_VECTOR_DISTANCE(age, $v) LIMIT 3",
            at: "1:33",
            "there is no vector index of age"),
    ]
}
