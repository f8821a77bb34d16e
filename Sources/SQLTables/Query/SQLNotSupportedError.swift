public import SQLCore

/// An error for a feature that the SQLite library in use lacks.
///
/// A right or full join and an upsert throw it, before anything runs.
///
/// ```swift
/// do {
///     try database.upsert(player)
/// } catch let error as SQLNotSupportedError {
///     use("SQLite is too old for \(error.feature)")
/// }
/// ```
public struct SQLNotSupportedError: Error, Hashable, Sendable {
    /// The missing feature.
    public let feature: SQLiteFeature
    /// The version number of the SQLite library, such as 3037002.
    public let version: Int
}

extension SQLNotSupportedError: CustomStringConvertible {
    /// The feature, the version that introduced it, and the version in use.
    public var description: String {
        "\(feature) needs SQLite \(dotted(feature.minimumVersion)), and this is \(dotted(version))"
    }

    private func dotted(_ version: Int) -> String {
        "\(version / 1_000_000).\(version / 1000 % 1000).\(version % 1000)"
    }
}

extension SQLiteFeature {
    /// Throws `SQLNotSupportedError` if a version of SQLite lacks it.
    func require(inVersion version: Int = SQLContext.versionNumber) throws {
        guard version >= minimumVersion else {
            throw SQLNotSupportedError(feature: self, version: version)
        }
    }
}

extension SQLJoinType {
    /// Throws `SQLNotSupportedError` if a version of SQLite lacks this kind of join.
    func requireSupport(inVersion version: Int = SQLContext.versionNumber) throws {
        switch self {
        case .right: try SQLiteFeature.rightJoin.require(inVersion: version)
        case .full: try SQLiteFeature.fullOuterJoin.require(inVersion: version)
        case .left, .inner, .cross: return
        }
    }
}
