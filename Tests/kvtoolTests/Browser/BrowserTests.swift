import Foundation
import StoreTestSupport
import Testing

/// The pages of `kvtool serve` as a person uses them. Each view that a scenario comes to is checked
/// for errors in the console, accessible names, contrast in light and dark, and width on a phone.
///
/// With `STORE_SCREENSHOTS=DIRECTORY` in the environment pictures of all views are written there;
/// with `STORE_WRITE_DOCS=1` those of the documentation.
@Suite(
    "kvtool serve in a browser", .serialized,
    .enabled(if: BrowserScenario.interpreter != nil, "needs selenium and chromedriver"))
struct BrowserTests {
    private static let writes = ProcessInfo.processInfo.environment["STORE_WRITE_DOCS"] == "1"

    private let directory: TemporaryDirectory
    private var database: String { directory("people.cblite2") }

    init() throws { directory = try TemporaryDirectory() }

    private func generate(_ count: Int) throws {
        try Kvtool.run(["gen", "--count", "\(count)", "--database", database]).success()
    }

    /// A database with a conflict between changes of the city.
    private func conflicted(_ form: ConflictedDatabase.Form) throws -> SampleDatabase {
        try ConflictedDatabase(
            form, base: #"{"age":36,"city":"London"}"#, local: #"{"age":37,"city":"Paris"}"#,
            remotes: #"{"age":36,"city":"Rome","name":"Ada"}"#
        ).database
    }

    @Test("goes from the databases to one document of thousands, and offers no change")
    func documents() throws {
        try generate(3000)
        try BrowserScenario.play("documents", ServedTool(database), in: directory)
    }

    @Test("documents are created, edited, merged after a lost race, and deleted")
    func editing() throws {
        try generate(20)
        try BrowserScenario.play("editing", ServedTool(database, "--writable"), in: directory)
    }

    @Test("queries have rows, errors with a caret, plans, indexes that help, and live results")
    func queries() throws {
        try generate(300)
        try BrowserScenario.play("queries", ServedTool(database, "--writable"), in: directory)
    }

    @Test("changes of other processes appear")
    func changes() throws {
        try generate(20)
        try BrowserScenario.play("changes", ServedTool(database), in: directory)
    }

    @Test(
        "revisions are a picture, and a conflict is resolved",
        arguments: ConflictedDatabase.Form.allCases)
    func conflicts(_ form: ConflictedDatabase.Form) throws {
        let database = try conflicted(form)
        try BrowserScenario.play(
            "conflicts", ServedTool(database.path, "--writable"), in: database.directory)
    }

    @Test("shows schema, indexes, storage, the report of verify, search and blobs")
    func reports() throws {
        try generate(300)
        try BrowserScenario.play("reports", ServedTool(database, "--writable"), in: directory)
    }

    @Test("a file is imported after a dry run, and documents are exported")
    func exchange() throws {
        try generate(20)
        try BrowserScenario.play("exchange", ServedTool(database, "--writable"), in: directory)
    }

    @Test("all is reached by keyboard, and the focus is visible")
    func keyboard() throws {
        try generate(300)
        try BrowserScenario.play("keyboard", ServedTool(database), in: directory)
    }

    @Test("asks for the token, and for the key of an encrypted database")
    func unlocking() throws {
        try generate(20)
        let secret = directory("secret.cblite2")
        try Kvtool.run(["cp", database, secret]).success()
        try Kvtool.run(["encrypt", secret, "--new-key", "open sesame"]).success()
        try BrowserScenario.play("unlocking", ServedTool(database, secret), in: directory)
    }

    @Test("documents run no script, and neither break the layout nor block the page")
    func hostile() throws {
        try generate(3)
        try BrowserScenario.play("hostile", ServedTool(database, "--writable"), in: directory)
    }

    @Test("pictures of the documentation", .enabled(if: writes, "writes docs/images"))
    func pictures() throws {
        let database = try conflicted(.tree)
        let people = try Kvtool.run(["gen", "--count", "300"]).success()
        try database.importing(people.lines).success()
        try BrowserScenario.play(
            "pictures", ServedTool(database.path, "--writable"), in: database.directory)
    }
}
