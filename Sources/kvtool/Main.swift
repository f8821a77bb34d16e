internal import KVToolCommands
internal import KVToolCore

/// The program: hands the command line over to ``CommandRunner``.
@main
enum Main {
    static func main() async {
        let invalid = System.numberOfInvalidArgument
        let arguments = Array(CommandLine.arguments.dropFirst())
        // This comes first: until then other processes can read the keys on the command line.
        for key in HiddenKeys.locations(in: arguments) {
            System.overwriteArgument(key.argument + 1, from: key.offset)
        }
        System.openMissingStreams()
        Interruption.install(exitStatus: ExitStatus.interrupted.rawValue)
        if let invalid { System.exitAtOnce(CommandRunner.refuse(argument: invalid).rawValue) }
        let status = await Interruption.cancelling { await CommandRunner.run(arguments) }
        System.exitAtOnce(status.rawValue)
    }
}
