/// A text that is equal to another one byte by byte only, as the ids of documents are: to `String`
/// an `é` of one scalar and one of two are the same.
struct ExactText: Hashable {
    private let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
    }
}

extension OONIStore.NetworkDetails {
    /// What makes two networks one.
    var exact: [ExactText?] {
        [name, asn, countryCode, type?.rawValue].map { $0.map { ExactText($0) } }
    }
}
