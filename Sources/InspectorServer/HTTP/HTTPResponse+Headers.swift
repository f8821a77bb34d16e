internal import NIOHTTP1
internal import StorePlatform

extension HTTPResponse {
    /// The response with its entity tag, or without its body if the client has it.
    func tagged(for request: HTTPRequest) -> HTTPResponse {
        guard request.isSafe, status == .ok, case .bytes(let body) = body else { return self }
        let tag = EntityTag.tag(of: body)
        let condition = request.headers[canonicalForm: "If-None-Match"].joined(separator: ",")
        var response = self
        // With its quotation marks; version vectors have commas, as the list has.
        if condition.contains(tag) { response = HTTPResponse(.notModified) }
        response.headers.replaceOrAdd(name: "ETag", value: tag)
        return response
    }

    /// Has a browser save it under a name.
    mutating func save(as name: String) {
        let safe = name.filter {
            $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0))
        }
        headers.add(name: "Content-Disposition", value: "attachment; filename=\"\(safe)\"")
    }

    /// Says what the response lacks, in a header, percent-encoded.
    mutating func warn(_ message: String) {
        let bytes = message.utf8.map { byte in
            let isPlain = byte < 0x80 && Character(UnicodeScalar(byte)).isLetter
            return isPlain ? String(UnicodeScalar(byte)) : "%" + Hexadecimal.encoded([byte])
        }
        headers.replaceOrAdd(name: "X-Inspector-Warning", value: bytes.joined())
    }

    /// Replaces text in its body, if that is short.
    mutating func replace(_ text: String, with other: String) {
        guard case .bytes(let bytes) = body else { return }
        body = .bytes(Array(bytes.replacing(Array(text.utf8), with: Array(other.utf8))))
    }
}
