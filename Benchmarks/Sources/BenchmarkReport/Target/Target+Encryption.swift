// The table of encrypted databases.
extension Target {
    static let encryption: [Target] = {
        let (scan, insertion) = (
            "scan, the cache a twentieth of the file",
            "insert in no order, the cache a twentieth of the file"
        )
        let (raw, passphrase) = (
            "open with a raw key, read a row, close",
            "open with a passphrase, read a row, close"
        )
        return [
            encryption(
                scan, part: "to plain and swift-crypto", .timesBaseline(.atMost(1.15))),
            encryption(
                insertion, part: "to plain and swift-crypto", .timesBaseline(.atMost(1.15))),
            encryption(
                "read by key, from the cache", part: "to plain", .timesBaseline(.atMost(1.05))),
            encryption(raw, .seconds(.atMost(5e-3))),
            encryption(
                passphrase, part: "more than the derivation alone",
                .secondsMore(
                    than: "encryption: \(passphrase): the derivation alone", .atMost(5e-3))),
        ]
    }()

    private static func encryption(
        _ row: String, part: String? = nil, _ rule: Rule
    ) -> Target {
        Target(
            .encryption, row, part: part, workloads: ["encryption: \(row): encrypted"], rule: rule)
    }
}
