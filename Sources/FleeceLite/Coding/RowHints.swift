/// At which pairs the properties of the values that a row decoder reads were found last.
///
/// The documents of a collection tend to have the same keys, so that one comparison does for a
/// search in the next one, whatever the order a type asks in.
final class RowHints: Sendable {
    let keys = KeyHints.allocated()

    deinit { keys.deallocate() }
}
