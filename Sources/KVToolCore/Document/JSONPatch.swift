internal import DocumentStore

/// A JSON Patch (RFC 6902): a list of operations that are applied all or none.
struct JSONPatch {
    /// An operation, with its number in the list for messages.
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

    /// Parses a patch. Throws an error that names the invalid operation.
    init(_ value: FleeceValue) throws {
        guard let list = value.array else {
            throw ToolError("a JSON patch is an array of operations")
        }
        operations = try list.enumerated().map { try Operation($0.offset + 1, $0.element) }
    }

    /// Applies the patch to properties.
    ///
    /// - Throws: a conflict if the document is not as the patch expects.
    func applied(to properties: MutableFleeceDictionary) throws -> MutableFleeceDictionary {
        var value = MutableFleeceValue.dictionary(properties)
        for operation in operations { try operation.apply(to: &value) }
        guard let result = value.dictionary else {
            throw ToolError("the result of the patch is not a JSON object")
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
                throw wrong("has an invalid \"\(name)\": \(error.message)")
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
            guard try find(path, in: root) == value else {
                throw failure("has a different value", path)
            }
        }
    }

    private func find(
        _ pointer: JSONPointer, in root: MutableFleeceValue
    ) throws -> MutableFleeceValue {
        var value = root
        for token in pointer.tokens {
            guard let next = Self.child(token, of: value) else {
                throw failure("does not exist", pointer)
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
                    throw failure("is not in an object or array", path)
                }
                return parent[last] = new
            }
            guard let index = last == "-" ? count : Self.index(last), index <= count else {
                let size = Text.count(count, "element")
                throw failure("is not an index of the array of \(size)", path)
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
                throw failure("does not exist", pointer)
            }
            guard parent.kind == .array else { return parent[last] = nil }
            if let index = Self.index(last) { parent[index] = nil }
        }
    }

    /// Changes the value at the path of these tokens.
    private func change(
        _ value: inout MutableFleeceValue, _ tokens: ArraySlice<String>, _ pointer: JSONPointer,
        _ body: (inout MutableFleeceValue) throws -> Void
    ) throws {
        guard let token = tokens.first else { return try body(&value) }
        guard var child = Self.child(token, of: value) else {
            throw failure("does not exist", pointer)
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

    /// Parses a decimal array index, without a sign or leading zeros.
    private static func index(_ token: String) -> Int? {
        guard token == "0" || token.utf8.first != 0x30,
            token.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
        else { return nil }
        return Int(token)
    }

    private func failure(_ what: String, _ pointer: JSONPointer) -> ToolError {
        let subject = pointer.tokens.isEmpty ? "the whole document" : pointer.description
        return ToolError(
            "operation \(number) of the patch, \(kind.rawValue): \(Text.line(subject)) \(what)",
            status: .conflict)
    }
}
