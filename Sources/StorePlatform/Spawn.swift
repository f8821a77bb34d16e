// On Apple's systems these are pointers, which are nil before they are initialized.
#if canImport(Darwin)
    /// The actions on open files at the start of a process.
    package typealias SpawnFileActions = posix_spawn_file_actions_t?
    /// Attributes of a new process, such as its signals.
    package typealias SpawnAttributes = posix_spawnattr_t?
#else
    /// The actions on open files at the start of a process.
    package typealias SpawnFileActions = posix_spawn_file_actions_t
    /// Attributes of a new process, such as its signals.
    package typealias SpawnAttributes = posix_spawnattr_t
#endif

/// An empty list of actions, which the caller must destroy. `posix_spawn_file_actions_init`
package func emptySpawnFileActions() -> SpawnFileActions {
    #if canImport(Darwin)
        var actions: SpawnFileActions = nil
    #else
        var actions = SpawnFileActions()
    #endif
    posix_spawn_file_actions_init(&actions)
    return actions
}

/// Attributes that reset the signals of a new process, whatever this one blocks and ignores: none
/// is blocked, and `defaultSignals` have their default effect. The caller must destroy them.
/// `posix_spawnattr_setsigdefault`
package func spawnAttributes(defaultSignals: [Int32]) -> SpawnAttributes {
    #if canImport(Darwin)
        var attributes: SpawnAttributes = nil
    #else
        var attributes = SpawnAttributes()
    #endif
    posix_spawnattr_init(&attributes)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for number in defaultSignals { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    return attributes
}
