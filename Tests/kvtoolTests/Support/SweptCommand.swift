import ProjectTestSupport
import Testing

/// A command, and arguments with which it does its work.
///
/// Words in capitals stand for files (`SweptFiles`): `DB` is a database of this run's own.
struct SweptCommand: CustomTestStringConvertible, Sendable {
    /// As it is typed: `ls`, `index ls`.
    let name: String
    /// What comes behind the name.
    let arguments: [String]
    /// What its JSON is called behind `kvtool.`.
    let schema: String
    /// Arguments with which it must fail.
    let failing: [String]

    var testDescription: String { name }

    init(
        _ name: String, _ arguments: String..., schema: String? = nil, failing: [String]? = nil
    ) {
        self.name = name
        self.arguments = arguments
        self.schema = schema ?? name.replacing(" ", with: ".")
        self.failing = failing ?? arguments.map { $0 == "DB" ? "MISSING" : $0 }
    }

    /// Its words and these arguments.
    func words(_ arguments: [String]) -> [String] {
        name.split(separator: " ").map(String.init) + arguments
    }

    static let all =
        documents + queries + indexes + transfer + file
        + (PostgresServer.isInstalled ? replication : [])

    /// Commands that write no rows, and those that cannot run here, and why.
    static let exceptions = {
        var reasons = [
            "blob get": "it writes the content of a blob",
            "fleece encode": "it writes Fleece",
            "shell": "the commands that are typed in it have their own forms",
            "completions": "it writes a script",
            "push": "it does what sync run does", "pull": "it does what sync run does",
            "serve": "it does not end by itself",
            "sync reset": "it fails before the first replication",
        ]
        guard !PostgresServer.isInstalled else { return reasons }
        for command in replication { reasons[command.name] = "PostgreSQL is not installed" }
        return reasons
    }()
}

extension SweptCommand {
    fileprivate static let replication = [
        SweptCommand("sync init", "SERVER", failing: ["postgresql:///?host=/nowhere"]),
        SweptCommand(
            "sync run", "DB", "SERVER", schema: "sync",
            failing: ["DB", "postgresql:///?host=/nowhere"]),
        SweptCommand("sync status", "DB", "SERVER"),
        SweptCommand(
            "sync prune", "SERVER", "--older-than", "1d", "--yes",
            failing: ["postgresql:///?host=/nowhere", "--older-than", "1d", "--yes"]),
    ]

    fileprivate static let documents = [
        SweptCommand("ls", "DB"),
        SweptCommand("cat", "DB", "person-0001"),
        SweptCommand("put", "DB", "new", "{}"),
        SweptCommand("rm", "DB", "person-0001"),
        SweptCommand("purge", "DB", "person-0001", "--yes"),
        SweptCommand("edit", "DB", "person-0001", "--with", "true"),
        SweptCommand("revs", "DB", "person-0001"),
        SweptCommand("resolve", "DB"),
        SweptCommand("mv", "DB", "person-0001", "hr.staff"),
        SweptCommand("expire ls", "DB"),
        SweptCommand("expire set", "DB", "person-0001", "--in", "1d"),
        SweptCommand("expire clear", "DB", "person-0001", schema: "expire.set"),
        SweptCommand("expire run", "DB"),
        SweptCommand("lscoll", "DB"),
        SweptCommand("mkcoll", "DB", "more"),
        SweptCommand("rmcoll", "DB", "hr.staff", "--yes"),
    ]

    fileprivate static let queries = [
        SweptCommand("query", "DB", "SELECT age, name FROM _"),
        SweptCommand("select", "DB", "age, name FROM _", schema: "query"),
        SweptCommand("explain", "DB", "SELECT age FROM _ WHERE age > 3"),
        SweptCommand("sql", "DB", "SELECT 1 AS one, 'a,b' AS two"),
        SweptCommand("watch", "DB"),
        SweptCommand("find", "DB", "Ada"),
        SweptCommand("similar", "DB", "near"),
    ]

    fileprivate static let indexes = [
        SweptCommand("mkindex", "DB", "byName", "name.last"),
        SweptCommand("rmindex", "DB", "byAge"),
        SweptCommand("reindex", "DB"),
        SweptCommand("optimize", "DB"),
        SweptCommand("index ls", "DB"),
        SweptCommand("index show", "DB", "byAge"),
        SweptCommand("index dump", "DB", "byAge"),
        SweptCommand("index check", "DB"),
    ]

    fileprivate static let transfer = [
        SweptCommand("import", "DB", "DOCUMENTS", failing: ["DB", "NOTHING"]),
        SweptCommand("export", "DB"),
        SweptCommand("cp", "DB", "NEW"),
        SweptCommand("snapshot", "DB", "NEW"),
        SweptCommand("dump", "DB", "OUTPUT"),
        SweptCommand("load", "NEW", "DUMP", failing: ["NEW", "NOTHING"]),
        SweptCommand(
            "generate", "--count", "2", "--database", "NEW",
            failing: ["--template", "NOTHING", "--database", "NEW"]),
        SweptCommand("bench", "--count", "20", failing: ["MISSING"]),
        SweptCommand("diff", "DB", "SAME"),
        SweptCommand("patch", "DB", "PATCH"),
    ]

    fileprivate static let file = [
        SweptCommand("info", "DB"),
        SweptCommand("stat", "DB"),
        SweptCommand("check", "DB"),
        SweptCommand("verify", "DB"),
        SweptCommand("compact", "DB"),
        SweptCommand("convert", "DB", "--to", "trees", "--dry-run"),
        SweptCommand("encrypt", "DB", "--new-key-file", "TEXT"),
        SweptCommand(
            "decrypt", "ENCRYPTED", "--key-file", "TEXT", failing: ["MISSING", "--key", "k"]),
        SweptCommand(
            "rekey", "ENCRYPTED", "--key-file", "TEXT", "--new-key", "k",
            failing: ["MISSING", "--key", "k", "--new-key", "l"]),
        SweptCommand("blob ls", "DB"),
        SweptCommand("blob put", "DB", "TEXT"),
        SweptCommand("blob check", "DB"),
        SweptCommand("blob gc", "DB"),
        SweptCommand("recover", "DB", "NEW"),
        SweptCommand("fleece decode", "FLEECE", failing: ["NOTHING"]),
        SweptCommand("fleece dump", "FLEECE", failing: ["NOTHING"]),
        SweptCommand("fleece validate", "FLEECE", failing: ["NOTHING"]),
        SweptCommand("schema", "DB"),
        SweptCommand("keys", "DB"),
        SweptCommand("version", failing: ["more"]),
    ]
}
