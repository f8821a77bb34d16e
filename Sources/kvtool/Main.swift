internal import KVToolCommands
internal import KVToolCore

/// Nothing happens here but the hand-over.
@main
enum Main {
    static func main() async {
        let invalid = System.numberOfInvalidArgument
        let arguments = Array(CommandLine.arguments.dropFirst())
        // First of all: until then others see the keys.
        for key in HiddenKeys.places(in: arguments) {
            System.overwriteArgument(key.argument + 1, from: key.offset)
        }
        System.openMissingStreams()
        Interruption.install(exitStatus: ExitStatus.interrupted.rawValue)
        if let invalid { System.exitAtOnce(CommandRunner.refuse(argument: invalid).rawValue) }
        let status = await Interruption.cancelling { await CommandRunner.run(arguments) }
        System.exitAtOnce(status.rawValue)
    }
}
