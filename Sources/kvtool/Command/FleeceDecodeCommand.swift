internal import ArgumentParser
internal import DocumentStore

/// `kvtool fleece decode [INPUT]`
struct FleeceDecodeCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode", abstract: "Writes Fleece as JSON.",
        discussion: """
            Examples:
              kvtool fleece decode people.cblite2//_default/person-0001
              kvtool fleece decode body.fleece --keys people.cblite2 --canonical
              echo '43666f6f7001800300758003' | kvtool fleece decode --hex

            Bytes become texts in Base64; what JSON has no text for, such as infinity, null. With \
            --json the value is a property of an object, as with other commands; --raw is the \
            value alone in one line.
            """)

    @OptionGroup var source: FleeceArguments
    @Flag(help: "In one line.") var raw = false
    @Flag(help: "In one line, with the keys in the order of their bytes.") var canonical = false
    @OptionGroup var key: KeyArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let content = try await source.read(key.source)
        do {
            let document = try FleeceDocument(
                validating: content.bytes, sharedKeys: content.sharedKeys)
            let isPretty = !raw && !canonical && output.isForPeople
            let options = JSONWriter.Options(pretty: isPretty, canonical: canonical)
            try Decoded(bytes: content.bytes.count, value: document.root.json(options))
                .write(output)
        } catch let error as FleeceError {
            throw content.refusal(error)
        }
    }
}

/// The value that bytes stand for.
private struct Decoded: OneReport {
    let bytes: Int
    let value: String

    var schema: String { "fleece.decode" }
    let columns = [Column("bytes", "Bytes", isNumber: true), Column("value", "Value")]
    var rows: [[Cell]] { [[.number(bytes), .json(JSONText(utf8: value))]] }

    var properties: JSONObject {
        var object = JSONObject()
        object.add("bytes", bytes)
        object.add("value", JSONText(utf8: value))
        return object
    }

    func writeText() throws { try StandardOutput.write(value + "\n") }
}
