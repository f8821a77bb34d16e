internal import ArgumentParser
internal import DocumentStore

/// `kvtool fleece dump [INPUT]`
struct FleeceDumpCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump", abstract: "Shows Fleece byte by byte, and what the bytes stand for.",
        discussion: """
            Examples:
              kvtool fleece dump people.cblite2//_default/person-0001
              kvtool fleece dump body.fleece --keys people.cblite2 --json

            What is wrong is marked with ! and ends it with status 5.
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
        let hex = Text.hexadecimal(Array(dump.bytes[min(line.offset, end)..<end]))
        return [
            .number(line.offset), .number(line.count), .text(hex), .truth(line.isSlot),
            .text(line.meaning),
            .both(dump.text(of: line), program: .optional(line.problem)),
        ]
    }
}
