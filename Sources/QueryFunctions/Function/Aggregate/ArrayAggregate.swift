internal import FleeceLite
internal import SQLCore

/// `array_agg`: the values of a group as an array, without missing ones; an empty array if there
/// are none.
enum ArrayAggregate {
    static func register(in context: SQLContext, _ functions: FunctionContext) throws {
        try context.registerRawAggregate(
            "array_agg", argumentCount: 1, flags: .pure, state: functions,
            step: { ArrayAggregate.step($0, $1, $2) }, finish: { ArrayAggregate.finish($0) })
    }

    /// The values so far.
    private final class Group {
        var encoder = FleeceEncoder()
        var count = 0

        init() {
            encoder.beginArray()
        }
    }

    private typealias Slot = Unmanaged<Group>?

    private static func step(
        _ context: OpaquePointer?, _ count: Int32,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        FunctionCall.run(context, count, arguments) { call in
            guard let slot = call.raw.groupState(Slot.self) else {
                throw SQLError(code: .noMemory, message: "out of memory")
            }
            let group = slot.pointee ?? Unmanaged.passRetained(Group())
            slot.pointee = group
            let value = call[0]
            if case .missing = value { return }
            try group._withUnsafeGuaranteedRef {
                try FunctionLimits.requireElements($0.count + 1)
                try $0.encoder.writeBounded(value)
                $0.count += 1
            }
        }
    }

    private static func finish(_ context: OpaquePointer?) {
        FunctionCall.run(context, 0, nil) { call in
            let slot = call.raw.existingGroupState(Slot.self)
            guard let group = slot?.pointee?.takeRetainedValue() else {
                return try call.set([])
            }
            slot?.pointee = nil
            try group.encoder.endArray()
            try group.encoder.withFinishedBytes { call.raw.setFleece($0) }
        }
    }
}
