internal import FleeceLite

/// How the values of a source are written and read, by which its properties are found and the
/// values that they are compared with are written.
struct PropertyCoding: Sendable {
    var encoder = FleeceRowEncoder()
    var decoder = FleeceRowDecoder.shared

    /// What tells two of them apart in what is remembered of types; nil if what the types ask for
    /// could tell them apart, too.
    var identity: Identity? {
        guard encoder.userInfo.isEmpty, decoder.userInfo.isEmpty else { return nil }
        return Identity(dates: encoder.dates, nils: encoder.nils)
    }

    struct Identity: Hashable, Sendable {
        let dates: FleeceRowEncoder.DateForm
        let nils: FleeceRowEncoder.NilForm
    }

    /// What a value is written as.
    func written(_ value: some Encodable) throws -> FleeceValue {
        try FleeceDocument(trusted: encoder.encode(value)).root
    }
}
