internal import ArgumentParser

/// `kvtool fleece encode|decode|dump|validate`
struct FleeceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleece", abstract: "Converts and inspects Fleece, the format of documents.",
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
