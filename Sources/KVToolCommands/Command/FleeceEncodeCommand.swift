internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import StorePlatform

/// `kvtool fleece encode [FILE]`
struct FleeceEncodeCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "encode", abstract: "Writes JSON as Fleece.",
        discussion: """
            Examples:
              kvtool fleece encode person.json > person.fleece
              echo '{a: 1}' | kvtool fleece encode --json5 --hex

            The output is Fleece, whatever format is chosen; --json applies to messages.
            """)

    @Argument(
        help: "A file with a JSON object or array; - is standard input.",
        completion: .file())
    var input = "-"
    @Flag(help: "Read JSON5.") var json5 = false
    @Flag(help: "Write hexadecimal digits.") var hex = false
    @Option(
        help: ArgumentHelp(
            "Encode keys as references to this database's shared keys.", valueName: "database"),
        completion: .directory)
    var keys: String?
    @OptionGroup var key: KeyArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        guard hex || !System.isTerminal(StandardOutput.current.descriptor) else {
            throw ToolError("Fleece is not written to a terminal; use a file, or --hex")
        }
        let text = try InputFile.contents(of: input)
        let fleece = try encoded(text, try sharedKeys())
        try StandardOutput.current.writeData(
            hex ? Array((Hexadecimal.encoded(fleece) + "\n").utf8) : fleece)
    }

    private func sharedKeys() throws -> SharedKeys? {
        guard let keys else { return nil }
        var options = DataFileOptions(access: .readOnly)
        options.maintenance = false
        return try DatabaseAddress.open(keys, options, key: key.source)
            .read { try $0.requireSharedKeys() }
    }

    private func encoded(_ text: [UInt8], _ sharedKeys: SharedKeys?) throws -> [UInt8] {
        var encoder = FleeceEncoder(sharedKeys: sharedKeys)
        // Keys are not added to the database.
        encoder.addsSharedKeys = false
        do {
            try text.withUnsafeBytes { bytes in
                if json5 {
                    try encoder.writeJSON5(bytes)
                } else {
                    try encoder.writeJSON(bytes)
                }
            }
            return try encoder.finish()
        } catch let error as FleeceError {
            let location = TextLocation(offset: error.offset ?? 0, in: text[...])
            throw ToolError("invalid JSON, \(location): \(error.message)")
        }
    }
}
