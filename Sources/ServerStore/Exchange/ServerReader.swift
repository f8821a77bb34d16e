internal import DocumentStore

/// Reads the servers of a list one by one, and notes what is wrong with them.
struct ServerReader {
    private(set) var problems = ReadProblems()
    /// What the list is called.
    private let list: String
    /// Where the server that is being read stands, and its id once that is known.
    private var index = 0
    private var id: String?
    /// The ids so far. Texts that are equal to `String` are one id here, whatever their bytes.
    private var ids: Set<String> = []

    typealias Wrong = ResponseObject.Wrong

    /// The longest id, in bytes; those of the API have 88.
    static let longestID = 240

    init(list: String) {
        self.list = list
    }

    /// A server; nil if it is left out.
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

    /// What changes of a server; nil if it is left out.
    mutating func load(_ value: FleeceValue, at index: Int) -> ContinuousServerProperties? {
        element(value, index) { reader, object throws(Wrong) in
            let names = ServerFieldNames.api
            return ContinuousServerProperties(
                serverId: try reader.begin(object, names), load: try reader.load(object, names),
                score: try object.required(names.score, object.number),
                status: try object.required(names.status, object.whole))
        }
    }

    /// Reads an element of the list; if it throws, the element is left out, and its id is free.
    private mutating func element<T>(
        _ value: FleeceValue, _ index: Int,
        _ read: (inout Self, ResponseObject) throws(Wrong) -> T
    ) -> T? {
        (self.index, id) = (index, nil)
        do throws(Wrong) {
            guard let fields = value.dictionary else {
                throw Wrong(field: "it", reason: "is no object")
            }
            let element = try read(&self, ResponseObject(fields: fields, path: ""))
            if let id { ids.insert(id) }
            return element
        } catch {
            note(error, "the server is left out")
            return nil
        }
    }

    /// The id, which must be another one than those before it.
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
            throw object.wrong(names.id, "is that of a server before it")
        }
        return id
    }
}

// Problems.
extension ServerReader {
    /// Notes what is wrong with the server that is being read, and what became of it.
    mutating func note(_ wrong: Wrong, _ consequence: String) {
        let place = place
        problems.note("\(place): \(wrong.field) \(wrong.reason); \(consequence)")
    }

    private var place: String {
        "\(list)[\(index)]\(id.map { " \(ReadProblems.shown($0))" } ?? "")"
    }

    /// What can be done without: nil if it is not there, or wrong, which is noted.
    mutating func optional<T>(_ read: () throws(Wrong) -> T?) -> T? {
        do throws(Wrong) {
            return try read()
        } catch {
            note(error, "it is left out")
            return nil
        }
    }
}

/// What was wrong with a list, a line each; a list that is wrong everywhere does not fill memory.
struct ReadProblems {
    private var noted: [String] = []
    private var others = 0

    /// So many are told.
    static let most = 1_000

    mutating func note(_ line: @autoclosure () -> String) {
        if noted.count < Self.most { noted.append(line()) } else { others += 1 }
    }

    /// The lines, and how many more there would be.
    var lines: [String] { others == 0 ? noted : noted + ["and \(others) more"] }

    /// A text from outside as part of a line: in quotes, escaped, cut off where it is long.
    static func shown(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let start = scalars.prefix(mostShown)
        var line = JSONText()
        line.append(quoted: String(String.UnicodeScalarView(start)))
        return line.string + (start.endIndex == scalars.endIndex ? "" : "…")
    }

    /// An id of the API has 88.
    private static let mostShown = 100
}
