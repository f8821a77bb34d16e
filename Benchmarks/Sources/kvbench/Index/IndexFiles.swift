import DocumentStore
import Foundation
@_spi(Measuring) import QueryFunctions
import SQLCore
import SampleData

/// The initial files of index workloads: documents, and tables of plain columns with the same
/// values.
final class IndexFiles: Sendable {
    private static let made = Result { try IndexFiles() }

    static func get() throws -> IndexFiles { try made.get() }

    static let textCount = 20_000
    static let texts: [String] = Array(Paragraphs(count: textCount))

    /// The indexes of people that changes maintain.
    static let peopleIndexes: [IndexSpec] = [
        .value("byState", on: "contact.address.state"), .value("byAge", on: "age"),
        .value("byName", on: "name.last, name.first"),
        .fullText("byStreet", on: "contact.address.street", .init(language: "en")),
        .array("byLikes", path: "likes"),
    ]
    static let textIndex = IndexSpec.fullText("byText", on: "text", .init(language: "en"))

    /// An initial file.
    enum Template: String {
        /// People with all indexes, and an empty file with them.
        case indexed, indexedEmpty
        /// The texts without and with their index.
        case texts, indexedTexts
        /// Tables of plain columns with the same values.
        case plain, plainIndexed, plainIndexedEmpty
    }

    static func path(_ template: Template) -> String { "\(StoreData.directory)/i-\(template)" }

    /// A copy of a file, for passes that change it.
    static func copy(of path: String) throws -> String {
        let copy = "\(StoreData.directory)/\(UUID().uuidString).cblite2"
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        return copy
    }

    private init() throws {
        _ = try StoreData.get()
        try Self.makeDocuments()
        try Self.makePlain()
    }

    private static func makeDocuments() throws {
        let pairs = [(StoreData.Template.filled, Template.indexed), (.empty, .indexedEmpty)]
        for (source, target) in pairs {
            try FileManager.default.copyItem(atPath: StoreData.path(source), toPath: path(target))
            try index(path(target), peopleIndexes)
        }
        let file = try DataFile(path: path(.texts), options: StoreData.options(.create))
        try file.write { transaction in
            for (number, text) in texts.enumerated() {
                _ = try StoreWorkloads.people.save("text-\(number)", in: transaction) { encoder in
                    encoder.beginDictionary()
                    try encoder.writeKey("text")
                    encoder.writeString(text)
                    try encoder.endDictionary()
                }
            }
        }
        file.close()
        try FileManager.default.copyItem(atPath: path(.texts), toPath: path(.indexedTexts))
        try index(path(.indexedTexts), [textIndex])
    }

    private static func index(_ path: String, _ specs: [IndexSpec]) throws {
        let file = try DataFile(path: path, options: StoreData.options(.readWrite))
        defer { file.close() }
        try file.write { transaction in
            for spec in specs {
                try StoreWorkloads.people.createIndex(spec, in: transaction)
            }
        }
    }

    /// Opens a file with the settings of the engine, optionally with its functions.
    static func open(_ path: String, hasFunctions: Bool = false) throws -> SQLContext {
        let context = try SQLContext(path: path + "/db.sqlite3")
        try context.exec(sql: BaselineFile.pragmas)
        // Triggers write to full-text tables.
        try context.exec(sql: "PRAGMA trusted_schema=on")
        guard hasFunctions else { return context }
        let state = try context.selectValue(
            sql: "SELECT body FROM kv_info WHERE key = 'SharedKeys'")
        try context.registerDocumentFunctions(
            sharedKeys: SharedKeys(state: [UInt8](state?.blobValue ?? Data())))
        return context
    }
}
