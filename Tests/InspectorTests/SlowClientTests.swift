import DocumentStore
import Foundation
import InspectorServer
import KVToolCommands
import KVToolCore
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("A client of the inspector")
struct SlowClientTests {
    /// A connection that sends a request and then takes only what it is told to.
    private final class Client {
        private let descriptor: Int32

        init(_ url: String, _ path: String) throws {
            let address = try #require(URLComponents(string: url))
            let token = url.components(separatedBy: "token=")[1]
            let port = try #require(address.port)
            descriptor = try #require(Loopback.connected(to: port))
            let text =
                "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
                + "Authorization: Bearer \(token)\r\nConnection: close\r\n\r\n"
            #expect(write(descriptor, text, text.utf8.count) == text.utf8.count)
        }

        deinit { close(descriptor) }

        /// Up to `count` bytes of what arrives until the server closes the connection.
        func receive(_ count: Int = .max) -> Int {
            var (received, buffer) = (0, [UInt8](repeating: 0, count: 1 << 16))
            while received < count {
                let part = recv(descriptor, &buffer, min(buffer.count, count - received), 0)
                guard part > 0 else { break }
                received += part
            }
            return received
        }

        /// The status of the response.
        func status() -> Int {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let count = max(recv(descriptor, &buffer, buffer.count, 0), 0)
            let words = String(decoding: buffer[..<count], as: UTF8.self).split(separator: " ")
            return words.count > 1 ? Int(words[1]) ?? 0 : 0
        }
    }

    @Test("that takes nothing has its command ended, while others are answered")
    func stalled() async throws {
        let directory = try TemporaryDirectory()
        let path = directory("large.cblite2")
        let file = try DataFile(path: path, options: DataFileOptions(access: .create))
        let documents = DocumentCollection(try CollectionName("_default"))
        let text = String(repeating: "0123456789abcdef", count: 8192)
        try await file.write { transaction in
            for number in 0..<160 {
                _ = try documents.save("d\(number)", in: transaction) {
                    try $0.encode(["text": text])
                }
            }
        }
        var settings = InspectorSettings()
        settings.limits.commands = 1
        settings.limits.stallSeconds = 5
        let database = InspectedDatabase(path, name: "large", keys: DatabaseKeys())
        let server = try await InspectorServer([database], settings) { await CommandRunner.run($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.serve() }
            let (slow, received, statuses) = try await Task.detached {
                let slow = try Client(server.url, "/large/_default/export")
                let received = slow.receive(1000)
                // The one command that may run is that of the slow client, until it is ended.
                var statuses: [Int] = []
                let end = ContinuousClock.now + .seconds(120)
                while statuses.last != 200, ContinuousClock.now < end {
                    statuses.append(try Client(server.url, "/large/info.json").status())
                }
                return (slow.receive(), received, statuses)
            }.value
            #expect(received == 1000 && statuses.first == 429 && statuses.last == 200)
            #expect(slow < 160 * text.utf8.count)
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}
