import Foundation
import SQLCore

/// The baseline of index workloads: SQLite with the same values in plain columns.
extension IndexFiles {
    /// People like in `kv_default`, with columns for the indexed values; the elements of their
    /// `likes`; the texts.
    static func makePlain() throws {
        try FileManager.default.copyItem(
            atPath: StoreData.path(.filled), toPath: path(.plain))
        do {
            let context = try open(path(.plain), hasFunctions: true)
            try context.transaction { try context.exec(sql: plainTables) }
            let insert = try context.prepare(sql: "INSERT INTO texts (id, text) VALUES (?, ?)")
            try context.transaction {
                for (number, text) in texts.enumerated() {
                    try insert.bind(Int64(number), at: 1)
                    try insert.bind(text, at: 2)
                    while try insert.next() {}
                    insert.reset()
                }
            }
            try context.transaction {
                try context.exec(
                    sql: """
                        CREATE VIRTUAL TABLE textWords USING fts4(text, tokenize=unicode61);
                        INSERT INTO textWords (docid, text) SELECT id, text FROM texts
                        """)
            }
            try checkpoint(context)
        }
        for template in [Template.plainIndexed, .plainIndexedEmpty] {
            try FileManager.default.copyItem(atPath: path(.plain), toPath: path(template))
            let context = try open(path(template))
            if template == .plainIndexedEmpty {
                try context.exec(sql: "ALTER TABLE plain RENAME TO source; " + createPlain)
            }
            try context.transaction { try context.exec(sql: plainIndexes + plainTriggers) }
            try checkpoint(context)
        }
    }

    private static func checkpoint(_ context: SQLContext) throws {
        try context.exec(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private static let createPlain = """
        CREATE TABLE plain (id INTEGER PRIMARY KEY, key TEXT UNIQUE, sequence INTEGER,
          state TEXT, age INTEGER, last TEXT, first TEXT, street TEXT, body BLOB);
        """
    private static let plainTables =
        createPlain + """
            INSERT INTO plain SELECT rowid, key, sequence, fl_value(body, 'contact.address.state'),
              fl_value(body, 'age'), fl_value(body, 'name.last'), fl_value(body, 'name.first'),
              fl_value(body, 'contact.address.street'), body FROM kv_default;
            CREATE TABLE elements (docid INTEGER, i INTEGER, body TEXT, PRIMARY KEY (docid, i))
              WITHOUT ROWID;
            INSERT INTO elements SELECT kv_default.rowid, e.rowid, e.value
              FROM kv_default, fl_each(kv_default.body, 'likes') AS e;
            CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT);
            """

    static let createWords = "CREATE VIRTUAL TABLE words USING fts4(street, tokenize=unicode61);"
    static let createEach = """
        CREATE TABLE each (docid INTEGER NOT NULL, i INTEGER NOT NULL, body BLOB NOT NULL,
          CONSTRAINT pk PRIMARY KEY (docid, i));
        """
    private static let plainIndexes =
        """
        CREATE INDEX byState ON plain (state); CREATE INDEX byAge ON plain (age);
        CREATE INDEX byName ON plain (last, first);
        """ + createWords + "INSERT INTO words (docid, street) SELECT id, street FROM plain;"
        + createEach
            + """
            INSERT INTO each SELECT docid, i, body FROM elements WHERE EXISTS (SELECT 1 FROM plain);
            CREATE INDEX byLikes ON each (body);
            """

    /// The equivalents of the format's triggers, in order.
    private static let plainTriggers = """
        CREATE TRIGGER w1 AFTER INSERT ON plain BEGIN
          INSERT INTO words (docid, street) VALUES (new.id, new.street); END;
        CREATE TRIGGER w2 BEFORE UPDATE OF body ON plain BEGIN
          DELETE FROM words WHERE docid = old.id; END;
        CREATE TRIGGER w3 AFTER UPDATE OF body ON plain BEGIN
          INSERT INTO words (docid, street) VALUES (new.id, new.street); END;
        CREATE TRIGGER e1 AFTER INSERT ON plain BEGIN
          INSERT INTO each SELECT docid, i, body FROM elements WHERE docid = new.id; END;
        CREATE TRIGGER e2 BEFORE UPDATE OF body ON plain BEGIN
          DELETE FROM each WHERE docid = old.id; END;
        CREATE TRIGGER e3 AFTER UPDATE OF body ON plain BEGIN
          INSERT INTO each SELECT docid, i, body FROM elements WHERE docid = new.id; END;
        """
}
