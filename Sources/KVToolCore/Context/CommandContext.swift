package import DocumentStore
internal import Synchronization

/// What a command works with: where it writes, how, the keys that it was given, the databases that
/// it has open, the shell that runs it. Each of these is a `ContextValue`.
///
/// Commands of several contexts may run at once in a process, each with its own streams; signals
/// alone are the process's (`Interruption`).
///
///     let context = CommandContext(StandardOutput(descriptor), StandardError(other))
///     let status = await context.run { await CommandRunner.run(["ls", path]) }
package final class CommandContext: Sendable {
    /// That of the command that runs; without one, that of the process.
    @TaskLocal package static var current = CommandContext()

    private let values: Mutex<[ObjectIdentifier: any ContextValue]>

    /// A new one with these values; the others are made when they are asked for.
    package init(_ values: any ContextValue...) {
        self.values = Mutex(
            Dictionary(values.map { (ObjectIdentifier(type(of: $0)), $0) }) { $1 })
    }

    fileprivate func value<Value: ContextValue>(_ type: Value.Type) -> Value {
        let key = ObjectIdentifier(type)
        if let known = values.withLock({ $0[key] }) as? Value { return known }
        // Not under the lock: it may ask for another value.
        let new = Value()
        return values.withLock { values in
            if let known = values[key] as? Value { return known }
            values[key] = new
            return new
        }
    }

    /// Runs `work` in this context.
    package func run<T>(_ work: () throws -> T) rethrows -> T {
        try Self.$current.withValue(self, operation: work)
    }

    /// Runs `work` in this context.
    package func run<T>(_ work: () async throws -> T) async rethrows -> T {
        try await Self.$current.withValue(self, operation: work)
    }
}

/// What every context has one of.
package protocol ContextValue: AnyObject, Sendable {
    /// That of a new context.
    init()
}

extension ContextValue {
    /// That of the command that runs; without one, that of the process.
    package static var current: Self { CommandContext.current.value(Self.self) }
}

// The engine runs closures on threads of its own, which have none of the values of a task.
extension DataFile {
    /// As `read`, in the context of the command that runs.
    package func reading<T: Sendable>(
        _ work: @escaping @Sendable (Snapshot) throws -> T
    ) async throws -> T {
        let context = CommandContext.current
        return try await read { snapshot in try context.run { try work(snapshot) } }
    }

    /// As `write`, in the context of the command that runs.
    package func writing<T: Sendable>(
        _ work: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        let context = CommandContext.current
        return try await write { transaction in try context.run { try work(transaction) } }
    }
}
