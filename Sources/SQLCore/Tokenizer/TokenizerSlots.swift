import CSQLite
internal import StorePlatform

/// The tokenizers of the process: each type has a permanent slot.
///
/// FTS3 calls `xCreate` without the module, and a C function cannot be created for each Swift type.
/// Therefore there is a fixed number of functions, one for each slot. A module must outlive the
/// connections that know it, so slots are never freed.
enum TokenizerSlots {
    /// Creates a tokenizer from the arguments of `tokenize=`.
    typealias Make = @Sendable ([String]) throws -> TokenizerObject

    private struct Slot: Sendable {
        let type: ObjectIdentifier
        let make: Make
        let module: SendableModule
    }

    private struct SendableModule: @unchecked Sendable {
        let pointer: UnsafePointer<shim_tokenizer_module>
    }

    private static let slots = Locked<[Slot]>([])

    /// How many types of tokenizers a process can have.
    static var limit: Int { creators.count }

    /// Returns the module of a type, created at the first call. Throws `.full` if no slot is free.
    static func module(
        for type: Any.Type, _ make: @escaping Make
    ) throws -> UnsafePointer<shim_tokenizer_module> {
        let identifier = ObjectIdentifier(type)
        return try slots.withLock { slots in
            if let slot = slots.first(where: { $0.type == identifier }) { return slot.module }
            guard slots.count < limit else {
                throw SQLError(
                    code: .full, message: "a process can have \(limit) types of tokenizers")
            }
            let module = SendableModule(
                pointer: makeTokenizerModule(xCreate: creators[slots.count]))
            slots.append(Slot(type: identifier, make: make, module: module))
            return module
        }.pointer
    }

    /// Creates a tokenizer of the type in a slot.
    static func make(slot: Int, _ arguments: [String]) throws -> TokenizerObject? {
        let make = slots.withLock { slots in
            slots.indices.contains(slot) ? slots[slot].make : nil
        }
        return try make?(arguments)
    }

    typealias Create =
        @convention(c) (
            Int32, UnsafePointer<UnsafePointer<CChar>?>?,
            UnsafeMutablePointer<UnsafeMutablePointer<shim_tokenizer>?>?
        ) -> Int32

    private static let creators: [Create] = [
        { createTokenizer(0, $0, $1, $2) },
        { createTokenizer(1, $0, $1, $2) },
        { createTokenizer(2, $0, $1, $2) },
        { createTokenizer(3, $0, $1, $2) },
        { createTokenizer(4, $0, $1, $2) },
        { createTokenizer(5, $0, $1, $2) },
        { createTokenizer(6, $0, $1, $2) },
        { createTokenizer(7, $0, $1, $2) },
        { createTokenizer(8, $0, $1, $2) },
        { createTokenizer(9, $0, $1, $2) },
        { createTokenizer(10, $0, $1, $2) },
        { createTokenizer(11, $0, $1, $2) },
        { createTokenizer(12, $0, $1, $2) },
        { createTokenizer(13, $0, $1, $2) },
        { createTokenizer(14, $0, $1, $2) },
        { createTokenizer(15, $0, $1, $2) },
        { createTokenizer(16, $0, $1, $2) },
        { createTokenizer(17, $0, $1, $2) },
        { createTokenizer(18, $0, $1, $2) },
        { createTokenizer(19, $0, $1, $2) },
        { createTokenizer(20, $0, $1, $2) },
        { createTokenizer(21, $0, $1, $2) },
        { createTokenizer(22, $0, $1, $2) },
        { createTokenizer(23, $0, $1, $2) },
    ]
}
