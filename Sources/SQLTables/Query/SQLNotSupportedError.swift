public import SQLCore

/// A feature that this version of SQLite lacks.
public struct SQLNotSupportedError: Error, Hashable, Sendable {
    /// What is lacking.
    public let feature: SQLiteFeature
    /// The version of the SQLite library, such as 3037002.
    public let version: Int
}

extension SQLNotSupportedError: CustomStringConvertible {
    /// The feature, the version that has it, and the version that there is.
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
