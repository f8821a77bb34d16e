internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool fleece validate [INPUT]`
struct FleeceValidateCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "Checks whether bytes are valid Fleece.",
        discussion: """
            Examples:
              kvtool fleece validate people.cblite2//_default/person-0001
              kvtool fleece validate body.fleece --keys people.cblite2 --json

            Besides the structure, the command checks the order of keys, UTF-8, special values and \
            references to shared keys; --structure omits these. The exit status is 5 if the bytes \
            are invalid.
            """)

    @OptionGroup var source: FleeceArguments
    @Flag(help: "Check only the structure, which suffices for reading.") var structure = false
    @OptionGroup var key: KeyArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let content = try await source.read(key.source)
        let error = problem(content)
        switch output.format {
        case .json, .ndjson: try StandardOutput.current.write(object(content, error).utf8 + [0x0A])
        case .csv, .tsv:
            let separator = output.format == .csv ? CSV.comma : CSV.tab
            let values = ["\(error == nil)", error?.message ?? ""]
            try StandardOutput.current.writeData(CSV.line(["intact", "message"], separator))
            try StandardOutput.current.writeData(CSV.line(values, separator))
        case nil:
            guard error == nil else { break }
            try StandardOutput.current.write(
                "\(Text.line(content.name)): valid, \(Text.count(content.bytes.count, "byte"))\n")
        }
        guard let error else { return }
        guard output.isForPeople else { throw ReportedFailure(status: .damaged) }
        throw content.refusal(error)
    }

    private func problem(_ content: FleeceArguments.Content) -> FleeceError? {
        let level = structure ? FleeceValidation.structure : .strict
        do {
            try content.bytes.withUnsafeBytes {
                try level.check($0, sharedKeys: content.sharedKeys)
            }
            return nil
        } catch {
            return error as? FleeceError ?? FleeceError(.invalidData, "\(error)")
        }
    }

    private func object(_ content: FleeceArguments.Content, _ error: FleeceError?) -> JSONText {
        var object = JSONObject()
        object.add("schema", OutputSchema.name("fleece.validate"))
        object.add("intact", error == nil)
        object.add("bytes", content.bytes.count)
        object.add("message", error?.message)
        object.add("offset", error?.offset)
        return object.finished()
    }
}
