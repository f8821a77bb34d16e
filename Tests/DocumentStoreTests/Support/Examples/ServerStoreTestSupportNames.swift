// The names that examples in the documentation of ServerStoreTestSupport use without declaring
// them. These modules are exported, since examples have no imports of their own.
@_exported import ServerStore
@_exported import Testing
@_exported import XCTest

/// The servers of an application's tests.
var testServers: [VPNServer] { never() }
/// The loads of an application's tests.
var testLoads: [ContinuousServerProperties] { never() }

/// An application's own base class of its tests.
class ScreenTestCase: XCTestCase {}

/// A screen of an application.
struct ServerScreen {
    @ServerDependency(\.serverRepository) var repository

    func titles() throws -> [String] { never() }
}

/// Counts what a callback receives.
final class Confirmations: Sendable {
    var count: Int { never() }

    func add(_ number: Int) {}
}
