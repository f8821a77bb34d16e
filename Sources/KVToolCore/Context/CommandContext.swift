package import DocumentStore
internal import Synchronization

/// The environment of a command: its output streams and their format, the keys that it was given,
/// its open databases, and the shell that runs it. Each of these is a `ContextValue`.
///
/// Commands in different contexts can run at the same time in one process, each with its own
/// streams. Signals are the exception: they belong to the process (`Interruption`).
///
///     let context = CommandContext(StandardOutput(descriptor), StandardError(other))
///     let status = await context.run { await CommandRunner.run(["ls", path]) }
package final class CommandContext: Sendable {
    /// The context of the running command, or of the process outside a command.
    @TaskLocal package static var current = CommandContext()

    private let values: Mutex<[ObjectIdentifier: any ContextValue]>

    /// Creates a context with these values. Other values are created on first use.
    package convenience init(_ values: any ContextValue...) {
        self.init(values)
    }

    /// Creates a context with these values. Other values are created on first use.
    package init(_ values: [any ContextValue]) {
        self.values = Mutex(
            Dictionary(values.map { (ObjectIdentifier(type(of: $0)), $0) }) { $1 })
    }

    fileprivate func value<Value: ContextValue>(_ type: Value.Type) -> Value {
        let key = ObjectIdentifier(type)
        if let known = values.withLock({ $0[key] }) as? Value { return known }
        // Outside the lock, because the initializer may request another value.
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

/// A value of which every context has one instance.
package protocol ContextValue: AnyObject, Sendable {
    /// Creates the value for a new context.
    init()
}

extension ContextValue {
    /// The instance of the running command, or of the process outside a command.
    package static var current: Self { CommandContext.current.value(Self.self) }
}

// The engine runs closures on its own threads, where task-local values are not set.
extension DataFile {
    /// Like `read`, but runs `work` in the context of the running command.
    package func reading<T: Sendable>(
        _ work: @escaping @Sendable (Snapshot) throws -> T
    ) async throws -> T {
        let context = CommandContext.current
        return try await read { snapshot in try context.run { try work(snapshot) } }
    }

    /// Like `write`, but runs `work` in the context of the running command.
    package func writing<T: Sendable>(
        _ work: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        let context = CommandContext.current
        return try await write { transaction in try context.run { try work(transaction) } }
    }
}
