internal import StoreFormat

/// Where a part of a statement begins in its text.
///
/// Only a statement that is parsed to locate an error has positions. They do not take part in
/// comparisons: statements that differ in them alone are equal.
package struct TextPosition: Hashable, Sendable {
    /// The number of bytes before it; nil if it is unknown.
    let offset: Int?

    init(offset: Int? = nil) {
        self.offset = offset
    }

    /// Always true.
    package static func == (one: Self, other: Self) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}

extension TextPosition {
    /// Runs a closure; an error of meaning that it throws is one at this position, unless a part
    /// of the statement within this one has located it.
    package func locating<T>(_ body: () throws -> T) throws -> T {
        do { return try body() } catch { throw located(error) }
    }

    /// The error at this position, if it is an error of meaning that has no position yet.
    func located(_ error: any Error) -> any Error {
        guard let offset, let error = error as? StoreError, error.canBeLocated else { return error }
        return StoreError(
            domain: error.domain, code: error.code, error.message,
            underlying: ErrorOffset(offset: offset))
    }
}

/// The underlying error of an error of meaning in a statement that has positions.
struct ErrorOffset: Error {
    /// The number of bytes before the part of the text that is wrong.
    let offset: Int
}

extension StoreError {
    /// Whether it is an error of meaning without a position. Other errors, such as those of SQLite,
    /// have another code or an underlying error.
    var canBeLocated: Bool {
        underlying == nil && (has(.invalidQuery) || has(.notFound) || has(.missingIndex))
    }
}

extension QueryExpression {
    /// The expression without its position.
    var bare: QueryExpression {
        if case .located(_, let expression) = self { expression } else { self }
    }

    /// Where it begins in the text.
    package var position: TextPosition {
        if case .located(let position, _) = self { position } else { TextPosition() }
    }
}

extension QueryBody {
    /// Where its first `SELECT` begins in the text.
    var position: TextPosition {
        switch self {
        case .block(let block): block.position
        case .nested(let query): query.body.position
        case .compound(_, _, let left, _): left.position
        }
    }
}
