internal import FleeceLite

extension SharedKeys {
    /// Reads what a file has under `InfoKey.sharedKeys`; there are no keys where it has nothing.
    ///
    /// Throws `FleeceError` if that is damaged.
    package init(stored state: [UInt8]?) throws {
        guard let state, !state.isEmpty else {
            self.init()
            return
        }
        try self.init(state: state)
    }
}
