package import DocumentStore

/// What a command works with below the shell: where it writes, how, the keys that it was given, the
/// databases that it has open.
///
/// Each is a task-local value. The engine runs closures on threads of its own, which have none of
/// the task's values: what a command does there is bound to its context first.
package struct CoreContext: Sendable {
    private let output: StandardOutput
    private let errors: StandardError
    private let defaults: OutputDefaults
    private let style: OutputStyle
    private let typedKeys: TypedKeys
    private let keys: DatabaseKeys
    private let files: OpenFiles
    private let permissions: NewFilePermissions

    /// A new one.
    ///
    /// - Parameters:
    ///   - output: the descriptor of what commands write.
    ///   - errors: the descriptor of their messages.
    package init(output: Int32, errors: Int32) {
        self.output = StandardOutput(output)
        self.errors = StandardError(errors)
        (defaults, style, typedKeys) = (OutputDefaults(), OutputStyle(), TypedKeys())
        (keys, files, permissions) = (DatabaseKeys(), OpenFiles(), NewFilePermissions())
    }

    private init() {
        (output, errors) = (.current, .current)
        (defaults, style, typedKeys) = (.current, .current, HiddenKeys.typed)
        (keys, files, permissions) = (.current, .current, .current)
    }

    /// That of the command that runs.
    package static var current: CoreContext { CoreContext() }

    /// Runs `work` in this context.
    package func run<T>(_ work: () throws -> T) rethrows -> T {
        try StandardOutput.$current.withValue(output) {
            try StandardError.$current.withValue(errors) {
                try OutputDefaults.$current.withValue(defaults) {
                    try OutputStyle.$current.withValue(style) { try withKeys(work) }
                }
            }
        }
    }

    private func withKeys<T>(_ work: () throws -> T) rethrows -> T {
        try HiddenKeys.$typed.withValue(typedKeys) {
            try DatabaseKeys.$current.withValue(keys) {
                try OpenFiles.$current.withValue(files) {
                    try NewFilePermissions.$current.withValue(permissions) { try work() }
                }
            }
        }
    }

    /// Runs `work` in this context.
    package func run<T>(_ work: () async throws -> T) async rethrows -> T {
        try await StandardOutput.$current.withValue(output) {
            try await StandardError.$current.withValue(errors) {
                try await OutputDefaults.$current.withValue(defaults) {
                    try await OutputStyle.$current.withValue(style) { try await withKeys(work) }
                }
            }
        }
    }

    private func withKeys<T>(_ work: () async throws -> T) async rethrows -> T {
        try await HiddenKeys.$typed.withValue(typedKeys) {
            try await DatabaseKeys.$current.withValue(keys) {
                try await OpenFiles.$current.withValue(files) {
                    try await NewFilePermissions.$current.withValue(permissions) {
                        try await work()
                    }
                }
            }
        }
    }
}

extension DataFile {
    /// As `read`, in the context of the command that runs.
    package func reading<T: Sendable>(
        _ work: @escaping @Sendable (Snapshot) throws -> T
    ) async throws -> T {
        let context = CoreContext.current
        return try await read { snapshot in try context.run { try work(snapshot) } }
    }

    /// As `write`, in the context of the command that runs.
    package func writing<T: Sendable>(
        _ work: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        let context = CoreContext.current
        return try await write { transaction in try context.run { try work(transaction) } }
    }
}
