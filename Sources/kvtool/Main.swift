/// Nothing happens here but the hand-over.
@main
enum Main {
    static func main() async {
        System.openMissingStreams()
        Interruption.install(exitStatus: ExitStatus.interrupted.rawValue)
        let arguments = Array(CommandLine.arguments.dropFirst())
        let status = await Interruption.cancelling { await CommandRunner.run(arguments) }
        System.exitAtOnce(status.rawValue)
    }
}
