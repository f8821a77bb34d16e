internal import KVToolCore

/// Names of commands in other programs, and the commands here that correspond to them.
enum CommandSynonyms {
    /// Returns the advice for a known synonym of a command, nil for any other word.
    static func advice(_ word: String) -> String? {
        let word = word.lowercased()
        return table.first { $0.words.contains(Substring(word)) }?.advice
    }

    /// Whether a word is a whole query or the beginning of one.
    static func isQuery(_ word: String) -> Bool {
        let first = word.split(separator: " ").first?.uppercased() ?? ""
        let verbs: Set = ["SELECT", "UPDATE", "DELETE", "WITH", "FROM"]
        return verbs.contains(first) && word.contains(" ") || word.hasPrefix("{\"")
            || word.hasPrefix("[\"")
    }

    /// The synonyms and the advice for them.
    private static let table: [Synonyms] = [
        Synonyms(
            "find search grep where filter",
            """
            kvtool query DATABASE 'SELECT * FROM _ WHERE …' finds documents, kvtool ls \
            DATABASE 'PATTERN' lists IDs
            """),
        Synonyms("count size length", "kvtool ls DATABASE --count counts documents"),
        Synonyms(
            "delete del erase remove unlink",
            """
            kvtool rm DATABASE ID deletes documents, kvtool purge removes them without \
            tombstones
            """),
        Synonyms(
            "insert add save set update upsert write replace append",
            """
            kvtool put DATABASE ID JSON writes a document, kvtool import many; kvtool \
            query DATABASE 'UPDATE …' changes those that match a condition
            """),
        Synonyms(
            "get show read print view fetch display doc document",
            "kvtool cat DATABASE ID shows a document"),
        Synonyms(
            "drop",
            """
            kvtool rmcoll deletes collections, kvtool rmindex an index, kvtool rm \
            documents
            """),
        Synonyms("truncate clear empty flush", "kvtool rm DATABASE '*' deletes all documents"),
        Synonyms(
            "backup save-as clone duplicate",
            """
            kvtool snapshot DATABASE COPY creates a backup, kvtool dump writes one as text
            """),
        Synonyms(
            "restore undump",
            """
            kvtool load DATABASE FILE restores a dump, kvtool cp copies a snapshot; \
            kvtool recover recovers a damaged database
            """),
        Synonyms("list dir ll keys-of ids all", "kvtool ls DATABASE lists documents"),
        Synonyms(
            "create new init mkdb createdb",
            """
            kvtool mkcoll DATABASE NAME --create creates a database, as does kvtool \
            import; kvtool mkindex creates an index
            """),
        Synonyms(
            "history log revisions rev versions",
            "kvtool revs DATABASE ID shows the revisions of a document"),
        Synonyms(
            "conflicts conflict",
            "kvtool resolve DATABASE lists and resolves conflicts"),
        Synonyms("vacuum shrink gc cleanup clean", "kvtool compact DATABASE does that"),
        Synonyms(
            "describe desc status stats about dbinfo",
            """
            kvtool info DATABASE describes a database, kvtool stat its sizes, kvtool \
            schema its documents
            """),
        Synonyms(
            "collections databases dbs tables scopes lscollections",
            "kvtool lscoll DATABASE lists the collections"),
        Synonyms(
            "indexes indices lsindex lsindexes createindex create-index",
            "kvtool index ls DATABASE lists indexes, kvtool mkindex creates one"),
        Synonyms("analyze analyse", "kvtool optimize DATABASE does that"),
        Synonyms("plan", "kvtool explain DATABASE 'SELECT …' shows the plan of a query"),
        Synonyms("password passwd changekey key", "kvtool rekey DATABASE changes the key"),
        Synonyms("upgrade migrate update-schema", "kvtool convert DATABASE does that"),
        Synonyms("rename move", "kvtool mv DATABASE ID… COLLECTION moves documents"),
        Synonyms("ttl touch expiration", "kvtool expire DATABASE does that"),
        Synonyms(
            "blobs attachments attachment attach lsblobs",
            """
            kvtool blob ls DATABASE lists blobs, kvtool blob put adds and get reads one
            """),
        Synonyms(
            "tail follow changes observe listen monitor logcat",
            "kvtool watch DATABASE shows changes as they occur"),
        Synonyms("validate fsck doctor fix", "kvtool verify DATABASE does that"),
        Synonyms("compare", "kvtool diff DATABASE OTHER compares databases"),
        Synonyms("merge apply", "kvtool patch DATABASE FILE applies the output of kvtool diff"),
        Synonyms("head first sample peek", "kvtool ls DATABASE --limit 10 --body shows the first"),
        Synonyms("use open connect repl cli", "kvtool DATABASE opens a shell"),
        Synonyms(
            "exec execute run eval n1ql sql++ sqlpp ask",
            "kvtool query DATABASE 'SELECT …' runs a query"),
        Synonyms("sqlite sqlite3", "kvtool sql DATABASE 'SELECT …' runs SQL on the SQLite file"),
        Synonyms("replicate replicator openremote", ReplicationAdvice.text),
    ]

    private struct Synonyms {
        let words: [Substring]
        let advice: String

        init(_ words: String, _ advice: String) {
            self.words = words.split(separator: " ")
            self.advice = advice
        }
    }
}

/// The message for commands that replicate.
enum ReplicationAdvice {
    static let text = """
        kvtool sync DATABASE URL replicates with a server, kvtool serve --sync is one; cp copies a \
        database, export and import transfer documents
        """
}
