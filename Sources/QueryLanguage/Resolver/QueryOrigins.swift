/// Where the expressions of a query begin in the text, to locate an error.
///
/// A translation has it only after an error: it then repeats, with a statement that has positions.
package final class QueryOrigins {
    private var positions: [ObjectIdentifier: TextPosition] = [:]
    /// Retained, so that no other object gets the identifier of one of them.
    private var expressions: [BoundExpression] = []

    package init() {}

    /// Records where an expression begins. The expression of a name begins where it is defined,
    /// which is recorded before its uses.
    func note(_ expression: BoundExpression, _ position: TextPosition) {
        guard positions[ObjectIdentifier(expression)] == nil else { return }
        positions[ObjectIdentifier(expression)] = position
        expressions.append(expression)
    }

    /// The error at the position of an expression, if both are known.
    func located(_ error: any Error, _ expression: BoundExpression) -> any Error {
        positions[ObjectIdentifier(expression)]?.located(error) ?? error
    }
}
