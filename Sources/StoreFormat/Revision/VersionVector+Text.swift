internal import StorePlatform

// A vector's text, in LiteCore's form: `TIME@SOURCE` for each version, the time in lowercase
// hexadecimal, the source `*` for this database or 22 characters of base64; ", " between versions,
// "; " after the current one and those merged into it.
extension VersionVector {
    /// Reads the text of a vector, such as `18e9f0b79eed0000@*, 1a@AAECAwQFBgcICQoLDA0ODw`.
    ///
    /// ```swift
    /// let vector = try VersionVector(
    ///     text: "5000000000000@*, 4000000000000@AAECAwQFBgcICQoLDA0ODw;")
    /// show(vector.count, vector.first.time)
    /// ```
    ///
    /// Without a semicolon only the first version is current; a semicolon follows the versions that
    /// were merged into it.
    ///
    /// - Parameter text: the versions, separated by commas.
    /// - Throws: ``StoreError/Code/badRevisionID`` if it is not a vector, or a source occurs twice;
    ///   the first version's source may occur again among those merged into it.
    public init(text: String) throws {
        let groups = text.utf8.split(
            separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false)
        let current = groups.first ?? Substring().utf8
        let rest = groups.count == 2 ? groups[1] : Substring().utf8
        var versions: [Version] = []
        for (group, isCurrent) in [(current, groups.count == 2), (rest, false)] {
            if group.isBlank, !versions.isEmpty { continue }
            let parts = group.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            for part in parts {
                guard let version = Version(text: part, isCurrent: isCurrent),
                    versions.count < Self.maximumVersions
                else { throw Self.notAVector(text) }
                versions.append(version)
            }
        }
        guard let first = versions.first else { throw Self.notAVector(text) }
        var sources = SourceSet(first)
        var others: [Version] = []
        for version in versions.dropFirst() {
            guard sources.insert(version, afterAll: others) else { throw Self.notAVector(text) }
            others.append(version)
        }
        self.init(first: first, others: others)
    }

    private static func notAVector(_ text: String) -> StoreError {
        StoreError(
            .badRevisionID,
            "\"\(text.prefix(80))\" is not a version vector: write TIME@SOURCE, separated by "
                + "commas, each source once (the first one's once more if it is merged into it)")
    }

    /// The text of all versions, which ``init(text:)`` reads.
    ///
    /// `, ` separates the versions; `; ` follows the current one and those merged into it.
    public var text: String {
        let current = currentCount
        var text = first.description
        for (index, version) in others.enumerated() {
            text += index + 1 == current ? "; " : ", "
            text += version.description
        }
        // A single version is current without a mark.
        return current == count && count > 1 ? text + ";" : text
    }

    /// The text of the current version alone, such as `18e9f0b79eed0000@*`.
    ///
    /// It is the text that ``RevisionID/description`` has for a vector.
    public var currentText: String { first.description }
}

extension VersionVector: CustomStringConvertible {
    /// The text of all versions, as in ``text``.
    public var description: String { text }
}

extension VersionVector.Version: CustomStringConvertible {
    /// The text `time@source`, the time in hexadecimal, the source being `*` for this database,
    /// else unpadded base64.
    public var description: String { "\(time)@\(source)" }

    /// Nil unless the text is `time@source`, with optional spaces around it.
    fileprivate init?(text: Substring.UTF8View, isCurrent: Bool) {
        var text = text.trimmed
        var number: UInt64 = 0
        var hasDigits = false
        while let byte = text.first, byte != UInt8(ascii: "@") {
            guard let digit = Hexadecimal.value(of: byte), number >> 60 == 0 else { return nil }
            number = number << 4 | UInt64(digit)
            hasDigits = true
            text.removeFirst()
        }
        guard hasDigits, text.popFirst() != nil, let source = VersionVector.Source(text: text)
        else { return nil }
        let time = LogicalTime(rawValue: number)
        guard LogicalTime.valid.contains(time) else { return nil }
        self.init(time: time, source: source, isCurrent: isCurrent)
    }
}

extension VersionVector.Source: CustomStringConvertible {
    /// `*` for this database, else the ID as unpadded base64.
    public var description: String {
        switch self {
        case .local: "*"
        case .peer(let id): id.description
        }
    }

    fileprivate init?(text: Substring.UTF8View) {
        if text.elementsEqual("*".utf8) {
            self = .local
        } else if let id = VersionVector.PeerID(text: text) {
            self = .peer(id)
        } else {
            return nil
        }
    }
}

extension VersionVector.PeerID: CustomStringConvertible {
    /// The text of the ID in a vector: 22 characters of unpadded base64.
    public var description: String { VersionVector.sourceText(bytes) }

    /// Nil unless the text is 22 characters of base64 that stand for 16 bytes.
    fileprivate init?(text: Substring.UTF8View) {
        guard text.count == 22 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for (index, character) in text.enumerated() {
            guard let digit = Base64.value(of: character).map(UInt64.init) else { return nil }
            // The last digit has 2 bits of the ID, and 4 bits that are zero.
            let (bits, count) = index < 21 ? (digit, 6) : (digit >> 4, 2)
            guard index < 21 || digit & 0x0F == 0 else { return nil }
            high = high << UInt64(count) | low >> UInt64(64 - count)
            low = low << UInt64(count) | bits
        }
        self.init(high: high, low: low)
    }
}

extension VersionVector {
    /// The text form of a database's 16-byte ID: unpadded base64, 22 characters.
    ///
    /// - Parameter id: the bytes, which are not checked.
    public static func sourceText(_ id: [UInt8]) -> String {
        String(Base64.encoded(id).prefix { $0 != "=" })
    }
}

extension Substring.UTF8View {
    private static var blank: UInt8 { UInt8(ascii: " ") }

    fileprivate var isBlank: Bool { allSatisfy { $0 == Self.blank } }

    fileprivate var trimmed: Self {
        var text = self
        while text.first == Self.blank { text.removeFirst() }
        while text.last == Self.blank { text.removeLast() }
        return text
    }
}
