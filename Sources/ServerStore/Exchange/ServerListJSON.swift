internal import DocumentStore
public import Foundation

/// Lists of servers as JSON, in the format of the API and in the format that clients store.
///
/// ```swift
/// let answer = try ServerListJSON.read(data)
/// try store.write { try store.replaceList(answer.servers, in: $0) }
/// ```
/// A response is an object with `LogicalServers`, or that array alone. An element is a server in
/// the format of the API (`ID`, `Servers`, …), or in the `Codable` format of `VPNServer`
/// (`logical`, `endpoints`).
///
/// An invalid server does not invalidate the list. A server without a required field is left out,
/// and so is an endpoint; other invalid fields count as missing. Each problem is reported as one
/// line, which begins with the server's index and id and names the field. After a thousand lines,
/// only the number of further problems is reported.
public enum ServerListJSON {
    /// Servers in the order of the list, and the problems with others or with parts of them.
    public typealias Servers = (servers: [VPNServer], problems: [String])
    /// Loads in the order of the list, and the problems with others.
    public typealias Loads = (loads: [ContinuousServerProperties], problems: [String])

    /// Reads a list of servers.
    ///
    /// Loads are rounded and limited to 0 to 100. Of servers with the same id, and of endpoints of
    /// a server with the same id, the first is used. The kind of a server is `Kind`, as written by
    /// `write`, or is derived from its features and gateway.
    ///
    /// - Parameter allowingTrailingCommas: whether to accept a comma after the last element of an
    ///   array or object, which JSON does not allow.
    ///
    /// Throws `ServerStoreError` with `.invalidJSON` if the input is not JSON or does not have a
    /// list of servers, and for a response whose `Code` is not 1000.
    public static func read(
        _ json: String, allowingTrailingCommas: Bool = false
    ) throws -> Servers {
        try read(utf8: Array(json.utf8), allowingTrailingCommas)
    }

    /// Reads a list of servers from UTF-8.
    public static func read(
        _ json: Data, allowingTrailingCommas: Bool = false
    ) throws -> Servers {
        try read(utf8: Array(json), allowingTrailingCommas)
    }

    /// Reads the loads of servers: `ID`, `Load`, `Score` and `Status` of each. Other fields, as in
    /// a list of servers, are ignored.
    ///
    /// Throws as `read` does.
    public static func readLoads(
        _ json: String, allowingTrailingCommas: Bool = false
    ) throws -> Loads {
        try readLoads(utf8: Array(json.utf8), allowingTrailingCommas)
    }

    /// Reads loads from UTF-8.
    public static func readLoads(
        _ json: Data, allowingTrailingCommas: Bool = false
    ) throws -> Loads {
        try readLoads(utf8: Array(json), allowingTrailingCommas)
    }

    private static func read(utf8 json: [UInt8], _ allowsCommas: Bool) throws -> Servers {
        let list = try ResponseList(utf8: json, allowingTrailingCommas: allowsCommas)
        var reader = ServerReader(list: list.name)
        let servers = list.elements.enumerated().compactMap { reader.server($1, at: $0) }
        return (servers, reader.problems.lines)
    }

    private static func readLoads(utf8 json: [UInt8], _ allowsCommas: Bool) throws -> Loads {
        let list = try ResponseList(utf8: json, allowingTrailingCommas: allowsCommas)
        var reader = ServerReader(list: list.name)
        let loads = list.elements.enumerated().compactMap { reader.load($1, at: $0) }
        return (loads, reader.problems.lines)
    }
}
