// The names that examples in the documentation of ServerStore use without declaring them.
import DocumentStore
import Foundation
import ServerStore

var repository: ServerRepository { never() }
var serverStore: ServerStore { never() }
var serverList: ServerList { never() }
var servers: [VPNServer] { never() }
var loads: [ContinuousServerProperties] { never() }
var server: VPNServer { never() }
var endpoint: ServerEndpoint { never() }
var profile: ServerProfile { never() }
var serverID: String { never() }
/// A response of the API.
var responseData: Data { never() }
/// The time in milliseconds since 1970-01-01 00:00 UTC.
var currentMilliseconds: Int64 { never() }

/// A client of the API.
enum ServerClient {
    static func get(
        _ request: ServerRefresh.Request
    ) async throws -> (status: Int, body: Data, lastModified: String?) { never() }
    static func connect(to address: String, ports: [Int]?) {}
}
