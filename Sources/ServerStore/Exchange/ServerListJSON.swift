internal import DocumentStore
public import Foundation

/// Lists of servers as JSON: as the API answers, and as clients keep them.
///
/// ```swift
/// let answer = try ServerListJSON.read(data)
/// try store.write { try store.replaceList(answer.servers, in: $0) }
/// ```
/// An answer is an object with `LogicalServers`, or that array alone. An element of it is a server
/// as the API writes one (`ID`, `Servers`, …), or as `VPNServer` is coded (`logical`,
/// `endpoints`).
///
/// One bad server does not spoil a list. A server without a field that it cannot be without is
/// left out, and so is an endpoint; other fields that are wrong are as if they were not there. All
/// of it is told: a line each, which begins with the server's place and id and names the field. Of
/// more than a thousand such lines only the number is told.
public enum ServerListJSON {
    /// Servers, in the order of the list, and what was wrong with others or with parts of them.
    public typealias Servers = (servers: [VPNServer], problems: [String])
    /// What changes of servers, in the order of the list, and what was wrong with others.
    public typealias Loads = (loads: [ContinuousServerProperties], problems: [String])

    /// Reads a list of servers.
    ///
    /// A load is rounded and held between 0 and 100. Of servers of one id the first is kept, of
    /// endpoints of a server likewise. A server's kind is `Kind`, as `write` writes it, or follows
    /// from its features and gateway.
    ///
    /// - Parameter allowingTrailingCommas: whether a comma may stand behind the last element of an
    ///   array or object, which is not JSON.
    ///
    /// Throws `ServerStoreError` with `.invalidJSON` for what is not JSON or has no list of
    /// servers, and for an answer whose `Code` is not 1000.
    public static func read(
        _ json: String, allowingTrailingCommas: Bool = false
    ) throws -> Servers {
        try read(utf8: Array(json.utf8), allowingTrailingCommas)
    }

    /// The same from UTF-8.
    public static func read(
        _ json: Data, allowingTrailingCommas: Bool = false
    ) throws -> Servers {
        try read(utf8: Array(json), allowingTrailingCommas)
    }

    /// Reads what changes of servers: `ID`, `Load`, `Score` and `Status` of each; what else stands
    /// there, as in a list of servers, is not looked at.
    ///
    /// Throws as `read` does.
    public static func readLoads(
        _ json: String, allowingTrailingCommas: Bool = false
    ) throws -> Loads {
        try readLoads(utf8: Array(json.utf8), allowingTrailingCommas)
    }

    /// The same from UTF-8.
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
