extension SQLPlusPlusWriter { static func text(_ t: QueryStatement) -> String { "" } }
extension QueryJSONWriter { static func text(_ t: QueryStatement) -> String { "\(t)" } }
