internal import KVToolCore

/// Words that people know from other programs, and what does here what they mean.
enum CommandSynonyms {
    /// The advice for a word that is not a command; nil for any other word.
    static func advice(_ word: String) -> String? {
        let word = word.lowercased()
        return table.first { $0.words.contains(Substring(word)) }?.advice
    }

    /// Whether a word is a whole query, or the beginning of one.
    static func isQuery(_ word: String) -> Bool {
        let first = word.split(separator: " ").first?.uppercased() ?? ""
        let verbs: Set = ["SELECT", "UPDATE", "DELETE", "WITH", "FROM"]
        return verbs.contains(first) && word.contains(" ") || word.hasPrefix("{\"")
            || word.hasPrefix("[\"")
    }

    /// Words, and the advice for each of them.
    private static let table: [Synonyms] = [
        Synonyms(
            "find search grep where filter",
            """
            kvtool query DATABASE 'SELECT * FROM _ WHERE …' finds documents, kvtool ls \
            DATABASE 'PATTERN' ids
            """),
        Synonyms("count size length", "kvtool ls DATABASE --count counts documents"),
        Synonyms(
            "delete del erase remove unlink",
            """
            kvtool rm DATABASE ID deletes documents, kvtool purge removes all traces of \
            them
            """),
        Synonyms(
            "insert add save set update upsert write replace append",
            """
            kvtool put DATABASE ID JSON writes a document, kvtool import many; kvtool \
            query DATABASE 'UPDATE …' changes those that meet a condition
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
            kvtool snapshot DATABASE COPY makes a backup, kvtool dump writes one as text
            """),
        Synonyms(
            "restore recover undump",
            """
            kvtool load DATABASE FILE makes a database of a dump, kvtool cp one of a \
            snapshot; kvtool repair saves what is left of a damaged one
            """),
        Synonyms("list dir ll keys-of ids all", "kvtool ls DATABASE lists documents"),
        Synonyms(
            "create new init mkdb createdb",
            """
            kvtool mkcoll DATABASE NAME --create makes a database, as kvtool import does; \
            kvtool mkindex makes an index
            """),
        Synonyms(
            "history log revisions rev versions",
            "kvtool revs DATABASE ID shows the revisions of a document"),
        Synonyms(
            "conflicts conflict resolve",
            """
            kvtool ls DATABASE --conflicts lists documents in conflict, kvtool revs the \
            revisions of one
            """),
        Synonyms("vacuum shrink gc cleanup clean", "kvtool compact DATABASE does that"),
        Synonyms(
            "describe desc status stats about dbinfo",
            """
            kvtool info DATABASE tells of a database, kvtool stat of its sizes, kvtool \
            schema of its documents
            """),
        Synonyms(
            "collections databases dbs tables scopes lscollections",
            "kvtool lscoll DATABASE lists the collections"),
        Synonyms(
            "indexes indices lsindex lsindexes createindex create-index",
            "kvtool index ls DATABASE lists indexes, kvtool mkindex makes one"),
        Synonyms("analyze analyse", "kvtool optimize DATABASE does that"),
        Synonyms("plan", "kvtool explain DATABASE 'SELECT …' shows the plan of a query"),
        Synonyms("password passwd changekey key", "kvtool rekey DATABASE changes the key"),
        Synonyms("upgrade migrate update-schema", "kvtool convert DATABASE does that"),
        Synonyms("rename move", "kvtool mv DATABASE ID… COLLECTION moves documents"),
        Synonyms("ttl touch expiration", "kvtool expire DATABASE does that"),
        Synonyms(
            "blobs attachments attachment attach lsblobs",
            """
            kvtool blob ls DATABASE lists blobs, kvtool blob put and get carry them
            """),
        Synonyms(
            "tail follow changes observe listen monitor logcat",
            "kvtool watch DATABASE shows changes as they come"),
        Synonyms("validate fsck doctor fix", "kvtool verify DATABASE does that"),
        Synonyms("compare", "kvtool diff DATABASE OTHER compares databases"),
        Synonyms("merge apply", "kvtool patch DATABASE FILE applies what kvtool diff has written"),
        Synonyms("head first sample peek", "kvtool ls DATABASE --limit 10 --body shows some"),
        Synonyms("use open connect repl cli", "kvtool DATABASE opens a shell"),
        Synonyms(
            "exec execute run eval n1ql sql++ sqlpp ask",
            "kvtool query DATABASE 'SELECT …' runs a query"),
        Synonyms("sqlite sqlite3", "kvtool sql DATABASE 'SELECT …' runs SQL of SQLite"),
        Synonyms("sync replicate serve pull push", ReplicationAdvice.text),
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

/// What is said to those who look for replication.
enum ReplicationAdvice {
    static let text = """
        there is no replication here; cp copies a database, export and import carry documents, \
        dump and load everything
        """
}
