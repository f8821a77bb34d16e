import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

/// A program in Python that uses the pages of `kvtool serve` in headless Chromium.
enum BrowserScenario {
    /// The Python with selenium; nil without it, or without Chromium's driver.
    static let interpreter: String? = {
        let own = PackageDirectory.url.path + "/.build/python/bin/python3"
        let python = [own, Command.path(of: "python3")].compactMap(\.self).first { path in
            (try? Command.run(path, ["-c", "import selenium"]))?.status == 0
        }
        if let python, Command.path(of: "chromedriver") != nil { return python }
        Command.reportMissing(
            "there is no Python with selenium, or no chromedriver; run Scripts/bootstrap")
        return nil
    }()

    /// Plays `Scenarios/NAME.py` on a server of databases in a directory.
    ///
    /// A scenario prints what it expected and saw, and what the browser's console has.
    static func play(
        _ name: String, _ served: ServedTool, in directory: TemporaryDirectory,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let python = try #require(interpreter)
        let scenarios = PackageDirectory.url.path + "/Tests/kvtoolTests/Browser/Scenarios"
        let url = "http://127.0.0.1:\(served.port)/#token=\(ServedTool.token)"
        let outcome = try Command.run(
            python, ["\(scenarios)/\(name).py", url, Kvtool.path, directory.path],
            environment: ["PYTHONDONTWRITEBYTECODE": "1"])
        #expect(
            outcome.status == 0 && !outcome.isSignalled,
            "\(name): \(outcome.stdout)\n\(outcome.stderr)", sourceLocation: sourceLocation)
        // The server has survived it.
        #expect(served.interrupt() == 130, sourceLocation: sourceLocation)
    }
}
