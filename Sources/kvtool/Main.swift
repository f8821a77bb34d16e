internal import Foundation

/// Nothing happens here but the hand-over: code at the top level would run on the main actor.
@main
enum Main {
    static func main() {
        exit(CommandRunner.run(Array(CommandLine.arguments.dropFirst())))
    }
}
