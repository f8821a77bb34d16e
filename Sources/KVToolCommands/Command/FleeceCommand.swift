internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import StorePlatform

/// `kvtool fleece encode|decode|dump|validate`
struct FleeceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleece",
        abstract: "Converts and inspects Fleece, the storage format of documents.",
        discussion: """
            Examples:
              kvtool fleece dump people.cblite2//_default/person-0001
              kvtool fleece decode body.fleece --keys people.cblite2
              echo '{"a":1}' | kvtool fleece encode --hex
              kvtool fleece validate people.cblite2//hr.staff/ada
            """,
        subcommands: [
            FleeceEncodeCommand.self, FleeceDecodeCommand.self, FleeceDumpCommand.self,
            FleeceValidateCommand.self,
        ])
}

/// `kvtool fleece decode [INPUT]`
struct FleeceDecodeCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode", abstract: "Writes Fleece as JSON.",
        discussion: """
            Examples:
              kvtool fleece decode people.cblite2//_default/person-0001
              kvtool fleece decode body.fleece --keys people.cblite2 --canonical
              echo '43666f6f7001800300758003' | kvtool fleece decode --hex

            Data values become strings in Base64; values that JSON lacks, such as infinity, become \
            null. With --json the value is a property of an object, as in other commands; --raw \
            writes the value alone on one line.
            """)

    @OptionGroup var source: FleeceArguments
    @Flag(help: "Write one line.") var raw = false
    @Flag(help: "Write one line, with keys sorted by their bytes.") var canonical = false
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

/// The decoded value.
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

    func writeText() throws { try StandardOutput.current.write(value + "\n") }
}

/// `kvtool fleece dump [INPUT]`
struct FleeceDumpCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump", abstract: "Shows the bytes of Fleece and their meaning.",
        discussion: """
            Examples:
              kvtool fleece dump people.cblite2//_default/person-0001
              kvtool fleece dump body.fleece --keys people.cblite2 --json

            Invalid bytes are marked with !, and the exit status is then 5.
            """)

    @OptionGroup var source: FleeceArguments
    @OptionGroup var key: KeyArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let content = try await source.read(key.source)
        let dump = FleeceDump(content.bytes, sharedKeys: content.sharedKeys)
        var header = JSONObject()
        header.add("bytes", content.bytes.count)
        var rows = RowOutput(
            "fleece.dump", list: "lines",
            [
                Column("offset", "Offset", isNumber: true), Column("bytes", "Bytes"),
                Column("hex", "Hex"), Column("slot", "Slot"), Column("meaning", "Meaning"),
                Column("problem", "Problem"),
            ], output, header: header, presentation: .lines { $0.last?.forPeople ?? "" })
        var hasProblems = false
        try dump.forEachLine { line in
            try Interruption.check()
            hasProblems = hasProblems || line.problem != nil
            try rows.add(Self.row(line, dump))
        }
        try rows.finish()
        if hasProblems { throw ReportedFailure(status: .damaged) }
    }

    private static func row(_ line: FleeceDump.Line, _ dump: FleeceDump) -> [Cell] {
        let end = min(line.offset + line.count, dump.bytes.count)
        let hex = Hexadecimal.encoded(Array(dump.bytes[min(line.offset, end)..<end]))
        return [
            .number(line.offset), .number(line.count), .text(hex), .bool(line.isSlot),
            .text(line.meaning),
            .both(dump.text(of: line), program: .optional(line.problem)),
        ]
    }
}
