import Foundation
import StoreTestSupport
import Testing

/// The tool as it was built, run as a process of its own.
enum Kvtool {
    /// Who runs it.
    enum User {
        /// Whoever runs the tests.
        case same
        /// Somebody whom permissions bind: `nobody` if the tests are run by root.
        case unprivileged
    }

    /// Runs the tool.
    static func run(
        _ arguments: [String], stdin: Data? = nil, environment: [String: String] = [:],
        asUser user: User = .same
    ) throws -> Command.Outcome {
        let whole = prefix(user) + [path] + arguments
        return try Command.run(
            whole[0], Array(whole.dropFirst()), stdin: stdin,
            environment: quiet.merging(environment) { _, new in new })
    }

    /// Runs a shell script in which `$KVTOOL` is the tool.
    static func shell(
        _ script: String, _ arguments: [String] = [], stdin: Data? = nil,
        environment: [String: String] = [:]
    ) throws -> Command.Outcome {
        try Command.run(
            "/bin/sh", ["-c", script, "sh"] + arguments, stdin: stdin,
            environment: quiet.merging(["KVTOOL": path]) { _, new in new }
                .merging(environment) { _, new in new })
    }

    /// Where the tool is: beside the bundle of the tests.
    static let path = CrashHarness.program(named: "kvtool") ?? "kvtool"

    /// Whether the tool can be run by somebody whom permissions bind.
    static let canRunUnprivileged: Bool = {
        let outcome = try? run(["--version"], asUser: .unprivileged)
        if outcome?.status == 0 { return true }
        Command.reportMissing(
            "nobody cannot run \(path) (setpriv or runuser is needed, and access)")
        return false
    }()

    /// Whether the tests are run by root, so that there is another user to be.
    static let isRoot = geteuid() == 0

    /// A trap is seen by its signal; to print where it was takes a quarter of a second.
    private static let quiet = ["SWIFT_BACKTRACE": "enable=no"]

    private static func prefix(_ user: User) -> [String] {
        guard user == .unprivileged, isRoot else { return [] }
        if let setpriv = Command.path(of: "setpriv") {
            return [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups"]
        }
        guard let runuser = Command.path(of: "runuser") else { return ["/bin/false"] }
        return [runuser, "-u", "nobody", "--"]
    }
}

extension Command.Outcome {
    /// Checks that the command was refused as it should be, and returns what it said.
    ///
    /// That is: no trap, a status that is not 0, nothing on standard output, and one line on
    /// standard error that begins with the tool's name and is free of control characters.
    @discardableResult
    func refusal(
        status expected: Int32? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) -> String {
        #expect(!isSignalled, "a trap: \(self)", sourceLocation: sourceLocation)
        if let expected {
            #expect(status == expected, "\(self)", sourceLocation: sourceLocation)
        } else {
            #expect(status != 0, "\(self)", sourceLocation: sourceLocation)
        }
        #expect(stdout == "", sourceLocation: sourceLocation)
        return complaint(sourceLocation: sourceLocation)
    }

    /// Checks that standard error has one line of the tool's; returns it without the name.
    func complaint(sourceLocation: SourceLocation = #_sourceLocation) -> String {
        if let message = messageOfJSON { return message }
        let isOneLine =
            stderr.hasPrefix("kvtool: ") && stderr.hasSuffix("\n")
            && !stderr.dropLast().unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
        #expect(isOneLine, "\(self)", sourceLocation: sourceLocation)
        return String(stderr.dropFirst("kvtool: ".count).dropLast())
    }

    /// The message of an error that is written as JSON; nil if it is not.
    private var messageOfJSON: String? {
        guard stderr.hasPrefix("{"), stderr.hasSuffix("}\n"),
            let whole = try? JSONSerialization.jsonObject(with: standardError) as? [String: Any],
            let error = whole["error"] as? [String: Any], error["status"] as? Int == Int(status)
        else { return nil }
        return error["message"] as? String
    }

    /// Checks that the command did its work and had nothing to complain about.
    @discardableResult
    func success(sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        #expect(!isSignalled && status == 0, "\(self)", sourceLocation: sourceLocation)
        #expect(stderr == "", sourceLocation: sourceLocation)
        return self
    }
}
