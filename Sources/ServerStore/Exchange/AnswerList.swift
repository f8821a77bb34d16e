internal import DocumentStore

/// The array of servers in an answer of the API.
struct AnswerList {
    let elements: FleeceArray
    /// What it is called, in front of the places of its elements.
    let name: String

    /// Throws `ServerStoreError` with `.invalidJSON`.
    init(utf8 json: [UInt8], allowingTrailingCommas: Bool) throws {
        var json = json
        if allowingTrailingCommas { TrailingCommas.blank(&json) }
        let root: FleeceValue
        do {
            var encoder = FleeceEncoder()
            _ = try json.withUnsafeBytes { try encoder.writeJSON($0) }
            root = try FleeceDocument(trusted: encoder.finish()).root
        } catch {
            let hint = allowingTrailingCommas ? "" : "; allow trailing commas if it has some"
            throw Self.wrong("the list of servers is no JSON: \(error)\(hint)")
        }
        if let array = root.array {
            (elements, name) = (array, "")
            return
        }
        try Self.requireSuccess(root)
        guard let array = root[Self.field]?.array else {
            let state = root[Self.field] == nil ? "missing" : "no array"
            throw Self.wrong("\(Self.field) is \(state), so the answer has no list of servers")
        }
        (elements, name) = (array, Self.field)
    }

    static let field = "LogicalServers"
    /// `Code` of an answer to what was asked.
    static let success = 1000

    private static func requireSuccess(_ answer: FleeceValue) throws {
        guard let code = answer["Code"], !code.isNull, code.int != Int64(success) else { return }
        let number = code.double.map { $0.formattedAsCode } ?? "that is no number"
        let text = answer["Error"]?.string.map { ", \(ReadProblems.shown($0))" } ?? ""
        throw wrong("the API answered with code \(number)\(text); ask again later")
    }

    private static func wrong(_ message: String) -> ServerStoreError {
        ServerStoreError(.invalidJSON, message)
    }
}

extension Double {
    /// Without a point if it is whole.
    fileprivate var formattedAsCode: String { Int(exactly: self).map(String.init) ?? "\(self)" }
}
