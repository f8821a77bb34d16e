internal import DocumentStore
public import Foundation

/// Lists of servers as JSON, in the format of the API and in the format that clients store.
///
/// ```swift
/// let read = try ServerListJSON.read(responseData)
/// for problem in read.problems { print("left out: \(problem)") }
/// try serverStore.write { try serverStore.upsert(read.servers, in: $0) }
/// ```
/// A response is an object with `LogicalServers`, or that array alone. An element is a server in
/// the format of the API (`ID`, `Servers`, …), or in the `Codable` format of ``VPNServer``
/// (`logical`, `endpoints`).
///
/// An invalid server does not invalidate the list. A server without a required field is left out,
/// and so is an endpoint; other invalid fields count as missing. Each problem is reported as one
/// line, which begins with the server's index and ID and names the field. After a thousand lines,
/// only the number of further problems is reported.
///
/// A list with problems is incomplete, so it must not remove the servers that were left out:
/// ``ServerRefresh/Response`` has a parameter for it. Reading does not touch a file; it is a
/// function of the input.
public enum ServerListJSON {
    /// Servers in the order of the list, and the problems with others or with parts of them. The
    /// list is complete if there are no problems.
    public typealias Servers = (servers: [VPNServer], problems: [String])
    /// Loads in the order of the list, and the problems with others. A load out of range is a
    /// problem, and its limited value is used.
    public typealias Loads = (loads: [ContinuousServerProperties], problems: [String])

    /// Reads a list of servers.
    ///
    /// Loads are rounded and limited to 0 to 100. Of servers with the same ID, and of endpoints of
    /// a server with the same ID, the first is used. The kind of a server is `Kind`, as written by
    /// ``write(_:pretty:)``, or is derived from its features and gateway. `null` counts as a
    /// missing field.
    /// ```swift
    /// let json = try String(contentsOfFile: path, encoding: .utf8)
    /// let (servers, problems) = try ServerListJSON.read(json, allowingTrailingCommas: true)
    /// print("\(servers.count) servers, \(problems.count) problems")
    /// ```
    ///
    /// - Parameters:
    ///   - json: the body of a response, or a list that a client has stored.
    ///   - allowingTrailingCommas: whether to accept a comma after the last element of an array or
    ///     object, which JSON does not allow; false by default.
    /// - Returns: the servers, and one line for each problem.
    /// - Throws: ``ServerStoreError`` with ``ServerStoreError/Code/invalidJSON`` if the input is
    ///   not JSON or does not have a list of servers, and for a response whose `Code` is not 1000.
    public static func read(
        _ json: String, allowingTrailingCommas: Bool = false
    ) throws -> Servers {
        try read(utf8: Array(json.utf8), allowingTrailingCommas)
    }

    /// Reads a list of servers from UTF-8, such as the body of a response.
    ///
    /// - Parameters:
    ///   - json: the bytes of the JSON text.
    ///   - allowingTrailingCommas: whether to accept a comma after the last element.
    /// - Returns: the servers, and one line for each problem.
    /// - Throws: ``ServerStoreError`` with ``ServerStoreError/Code/invalidJSON``, as for a string.
    public static func read(
        _ json: Data, allowingTrailingCommas: Bool = false
    ) throws -> Servers {
        try read(utf8: Array(json), allowingTrailingCommas)
    }

    /// Reads the loads of servers: `ID`, `Load`, `Score` and `Status` of each. Other fields, as in
    /// a list of servers, are ignored.
    ///
    /// All four fields are required; an element without one is left out and reported. Of elements
    /// with the same ID the first is used.
    ///
    /// - Parameters:
    ///   - json: the body of a response.
    ///   - allowingTrailingCommas: whether to accept a comma after the last element.
    /// - Returns: the loads, and one line for each problem.
    /// - Throws: ``ServerStoreError`` with ``ServerStoreError/Code/invalidJSON`` if the input is
    ///   not JSON or does not have a list, and for a response whose `Code` is not 1000.
    public static func readLoads(
        _ json: String, allowingTrailingCommas: Bool = false
    ) throws -> Loads {
        try readLoads(utf8: Array(json.utf8), allowingTrailingCommas)
    }

    /// Reads loads from UTF-8, such as the body of a response.
    ///
    /// ```swift
    /// let read = try ServerListJSON.readLoads(responseData)
    /// let change = try serverStore.update(loads: read.loads)
    /// ```
    ///
    /// - Parameters:
    ///   - json: the bytes of the JSON text.
    ///   - allowingTrailingCommas: whether to accept a comma after the last element.
    /// - Returns: the loads, and one line for each problem.
    /// - Throws: ``ServerStoreError`` with ``ServerStoreError/Code/invalidJSON``, as for a string.
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
