import Foundation
import ProjectTestSupport
import StoreTestSupport

/// An authority of the test, and the certificate of a server for `localhost`.
struct TestCertificates {
    static let openssl: String? = ["/usr/bin/openssl", "/opt/homebrew/bin/openssl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        let openssl = Self.openssl ?? ""
        for name in ["authority", "other"] {
            try run(
                """
                \(openssl) req -new -x509 -days 2 -nodes -newkey rsa:2048 -keyout \(name).key \
                  -out \(name).crt -subj /CN=\(name)
                """)
        }
        try run(
            """
            echo 'subjectAltName=DNS:localhost' > names &&
            \(openssl) req -new -nodes -newkey rsa:2048 -keyout server.key -out server.csr \
              -subj /CN=localhost &&
            \(openssl) x509 -req -in server.csr -CA authority.crt -CAkey authority.key \
              -CAcreateserial -days 2 -extfile names -out server.crt
            """)
    }

    /// The bytes of a file: `authority.crt`, `other.crt`, `server.crt` or `server.key`.
    func pem(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: directory(name))))
    }

    private func run(_ script: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-ec", "cd '\(directory.path)' && \(script)"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed() }
    }

    private struct Failed: Error {}
}
