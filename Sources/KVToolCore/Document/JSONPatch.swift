internal import DocumentStore

/// Changes of a document as RFC 6902 writes them: a list of operations, all of which are done, or
/// none.
struct JSONPatch {
    /// An operation, with its place in the list for messages.
    struct Operation {
        enum Kind: String {
            case add, remove, replace, move, copy, test
        }

        let number: Int
        let kind: Kind
        let path: JSONPointer
        var from = JSONPointer([])
        var value = MutableFleeceValue.null
    }

    private let operations: [Operation]

    /// Reads a patch. Throws, naming the operation that is none.
    init(_ value: FleeceValue) throws {
        guard let list = value.array else {
            throw ToolError("a JSON patch is an array of operations")
        }
        operations = try list.enumerated().map { try Operation($0.offset + 1, $0.element) }
    }

    /// What it makes of properties.
    ///
    /// Throws a conflict if the document is not as the patch expects.
    func applied(to properties: MutableFleeceDictionary) throws -> MutableFleeceDictionary {
        var value = MutableFleeceValue.dictionary(properties)
        for operation in operations { try operation.apply(to: &value) }
        guard let result = value.dictionary else {
            throw ToolError("the patch leaves no JSON object, which a document must be")
        }
        return result
    }
}

extension JSONPatch.Operation {
    fileprivate init(_ number: Int, _ value: FleeceValue) throws {
        func wrong(_ what: String) -> ToolError {
            ToolError("operation \(number) of the patch \(what)")
        }
        func pointer(_ name: String) throws -> JSONPointer {
            guard let text = value.dictionary?[name]?.string else {
                throw wrong("has no \"\(name)\"")
            }
            do {
                return try JSONPointer(parsing: text)
            } catch let error as FleeceError {
                throw wrong("has a wrong \"\(name)\": \(error.message)")
            }
        }
        guard let name = value.dictionary?["op"]?.string, let kind = Kind(rawValue: name) else {
            throw wrong("needs an \"op\": add, remove, replace, move, copy or test")
        }
        self.init(number: number, kind: kind, path: try pointer("path"))
        switch kind {
        case .remove: break
        case .move, .copy: from = try pointer("from")
        case .add, .replace, .test:
            guard let given = value.dictionary?["value"] else { throw wrong("has no \"value\"") }
            self.value = .value(given)
        }
        if kind == .move, path.tokens.count > from.tokens.count,
            path.tokens.starts(with: from.tokens)
        {
            throw wrong("moves a value into itself")
        }
    }

    fileprivate func apply(to root: inout MutableFleeceValue) throws {
        switch kind {
        case .add: try add(value, to: &root)
        case .remove: try remove(path, from: &root)
        case .replace:
            _ = try find(path, in: root)
            if !path.tokens.isEmpty { try remove(path, from: &root) }
            try add(value, to: &root)
        case .copy: try add(find(from, in: root), to: &root)
        case .move:
            let moved = try find(from, in: root)
            guard path != from else { return }
            try remove(from, from: &root)
            try add(moved, to: &root)
        case .test:
            guard try find(path, in: root) == value else { throw failure("is another value", path) }
        }
    }

    private func find(
        _ pointer: JSONPointer, in root: MutableFleeceValue
    ) throws -> MutableFleeceValue {
        var value = root
        for token in pointer.tokens {
            guard let next = Self.child(token, of: value) else {
                throw failure("is not there", pointer)
            }
            value = next
        }
        return value
    }

    private func add(_ new: MutableFleeceValue, to root: inout MutableFleeceValue) throws {
        guard let last = path.tokens.last else { return root = new }
        try change(&root, path.tokens.dropLast(), path) { parent in
            guard let count = parent.array?.count else {
                guard parent.kind == .dictionary else {
                    throw failure("is in no object and no array", path)
                }
                return parent[last] = new
            }
            guard let index = last == "-" ? count : Self.index(last), index <= count else {
                throw failure("is no place in the array of \(count)", path)
            }
            parent.array?.insert(new, at: index)
        }
    }

    private func remove(_ pointer: JSONPointer, from root: inout MutableFleeceValue) throws {
        guard let last = pointer.tokens.last else {
            throw failure("is the whole document, which cannot be removed", pointer)
        }
        try change(&root, pointer.tokens.dropLast(), pointer) { parent in
            guard Self.child(last, of: parent) != nil else {
                throw failure("is not there", pointer)
            }
            guard parent.kind == .array else { return parent[last] = nil }
            if let index = Self.index(last) { parent[index] = nil }
        }
    }

    /// Changes the value that these steps lead to.
    private func change(
        _ value: inout MutableFleeceValue, _ tokens: ArraySlice<String>, _ pointer: JSONPointer,
        _ body: (inout MutableFleeceValue) throws -> Void
    ) throws {
        guard let token = tokens.first else { return try body(&value) }
        guard var child = Self.child(token, of: value) else {
            throw failure("is not there", pointer)
        }
        try change(&child, tokens.dropFirst(), pointer, body)
        if value.kind == .array, let index = Self.index(token) {
            value[index] = child
        } else {
            value[token] = child
        }
    }

    private static func child(
        _ token: String, of value: MutableFleeceValue
    ) -> MutableFleeceValue? {
        guard value.kind == .array else { return value[token] }
        return index(token).flatMap { value[$0] }
    }

    /// An index in decimal, without a sign or zeros before it.
    private static func index(_ token: String) -> Int? {
        guard token == "0" || token.utf8.first != 0x30,
            token.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
        else { return nil }
        return Int(token)
    }

    private func failure(_ what: String, _ pointer: JSONPointer) -> ToolError {
        let place = pointer.tokens.isEmpty ? "the whole document" : pointer.description
        return ToolError(
            "operation \(number) of the patch, \(kind.rawValue): \(Text.line(place)) \(what)",
            status: .conflict)
    }
}
