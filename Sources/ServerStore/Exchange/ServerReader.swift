internal import DocumentStore

/// Reads the servers of a list one by one, and records problems.
struct ServerReader {
    private(set) var problems = ReadProblems()
    /// The name of the list.
    private let list: String
    /// The index of the server being read, and its ID once it is known.
    private var index = 0
    private var id: String?
    /// The IDs so far. Strings that `String` compares as equal are one ID here, whatever their
    /// bytes.
    private var ids: Set<String> = []

    typealias Wrong = ResponseObject.Wrong

    /// The maximum length of an ID, in bytes; those of the API have 88.
    static let longestID = 240

    init(list: String) {
        self.list = list
    }

    /// Reads a server; nil if it is left out.
    mutating func server(_ value: FleeceValue, at index: Int) -> VPNServer? {
        element(value, index) { reader, whole throws(Wrong) in
            let names: ServerFieldNames
            let object: ResponseObject
            if let logical = try whole.object(ServerFieldNames.logical) {
                (names, object) = (.model, logical)
            } else {
                (names, object) = (.api, whole)
            }
            let id = try reader.begin(object, names)
            var logical = try reader.logical(id, object, names)
            let endpoints = try whole.required(names.endpoints, whole.array)
            reader.addRest(to: &logical, object, names)
            let read = reader.endpoints(endpoints, names)
            return VPNServer(logical: logical, endpoints: read)
        }
    }

    /// Reads the load of a server; nil if it is left out.
    mutating func load(_ value: FleeceValue, at index: Int) -> ContinuousServerProperties? {
        element(value, index) { reader, object throws(Wrong) in
            let names = ServerFieldNames.api
            return ContinuousServerProperties(
                serverId: try reader.begin(object, names), load: try reader.load(object, names),
                score: try object.required(names.score, object.number),
                status: try object.required(names.status, object.whole))
        }
    }

    /// Reads an element of the list; if `read` throws, the element is left out and does not occupy
    /// its ID.
    private mutating func element<T>(
        _ value: FleeceValue, _ index: Int,
        _ read: (inout Self, ResponseObject) throws(Wrong) -> T
    ) -> T? {
        (self.index, id) = (index, nil)
        do throws(Wrong) {
            guard let fields = value.dictionary else {
                throw Wrong(field: "it", reason: "is not an object")
            }
            let element = try read(&self, ResponseObject(fields: fields, path: ""))
            if let id { ids.insert(id) }
            return element
        } catch {
            note(error, "the server is left out")
            return nil
        }
    }

    /// Reads the ID, which must be unique.
    private mutating func begin(
        _ object: ResponseObject, _ names: ServerFieldNames
    ) throws(Wrong) -> String {
        let id = try object.required(names.id, object.word)
        guard id.utf8.count <= Self.longestID else {
            throw object.wrong(names.id, "is longer than \(Self.longestID) bytes")
        }
        guard !id.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw object.wrong(names.id, "has control characters")
        }
        self.id = id
        guard !ids.contains(id) else {
            throw object.wrong(names.id, "is that of a previous server")
        }
        return id
    }
}

// Problems.
extension ServerReader {
    /// Records a problem with the server being read, and its consequence.
    mutating func note(_ wrong: Wrong, _ consequence: String) {
        let location = location
        problems.note("\(location): \(wrong.field) \(wrong.reason); \(consequence)")
    }

    private var location: String {
        "\(list)[\(index)]\(id.map { " \(ReadProblems.shown($0))" } ?? "")"
    }

    /// Reads an optional part: nil if it is missing or invalid; an invalid one is recorded.
    mutating func optional<T>(_ read: () throws(Wrong) -> T?) -> T? {
        do throws(Wrong) {
            return try read()
        } catch {
            note(error, "it is left out")
            return nil
        }
    }
}

/// The problems with a list, one line each, limited so that an entirely invalid list does not fill
/// the memory.
struct ReadProblems {
    private var noted: [String] = []
    private var others = 0

    /// The maximum number of lines.
    static let most = 1_000

    mutating func note(_ line: @autoclosure () -> String) {
        if noted.count < Self.most { noted.append(line()) } else { others += 1 }
    }

    /// The lines, followed by the number of further problems.
    var lines: [String] { others == 0 ? noted : noted + ["and \(others) more"] }

    /// An external string as part of a line: quoted, escaped, and truncated.
    static func shown(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let start = scalars.prefix(mostShown)
        var line = JSONText()
        line.append(quoted: String(String.UnicodeScalarView(start)))
        return line.string + (start.endIndex == scalars.endIndex ? "" : "…")
    }

    /// The maximum length; an ID of the API has 88 characters.
    private static let mostShown = 100
}
