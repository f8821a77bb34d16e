internal import ArgumentParser
internal import DataFileCore
internal import FleeceLite
internal import Foundation

/// `kvtool put DATABASE ID JSON`
struct PutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put", abstract: "Writes a document, over the one that is there.")

    @OptionGroup var arguments: DatabaseArguments
    @Argument(help: "The document's id.") var id: String
    @Argument(help: "Its properties, a JSON object; - reads them from standard input.")
    var json: String
    @OptionGroup var collection: CollectionArguments

    func run() throws {
        let text = json == "-" ? FileHandle.standardInput.readDataToEndOfFile() : Data(json.utf8)
        let collection = try collection.named()
        let file = try arguments.open(.readWrite)
        let saved = try file.write { transaction in
            try collection.save(id, in: transaction) { encoder in
                try write([UInt8](text), into: &encoder)
            }
        }
        file.close()
        try StandardOutput.write(
            "\(saved.isNew ? "Created" : "Updated") \"\(Text.line(saved.id))\", "
                + "revision \(saved.revisionID), sequence \(saved.sequence)\n")
    }

    /// An `_id` may stand in the text, as `cat` writes it, if it is the same.
    private func write(_ text: [UInt8], into encoder: inout FleeceEncoder) throws {
        do {
            let inside = try text.withUnsafeBytes { try encoder.writeJSON($0, lifting: "_id") }
            // By bytes, as ids are: Swift's == takes some different ones for equal.
            guard inside.map({ $0.utf8.elementsEqual(id.utf8) }) ?? true else {
                throw ToolError(
                    "the JSON is of document \"\(Text.line(inside ?? ""))\", "
                        + "not of \"\(Text.line(id))\"")
            }
        } catch let error as FleeceError {
            let place = TextPlace(offset: error.offset ?? 0, in: text[...])
            throw ToolError("the JSON is wrong, \(place): \(error.message)")
        }
    }
}
