// The C library under the one name that all systems have: whoever imports StorePlatform has it, and
// no other file asks which system this is.
#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#elseif canImport(Darwin)
    @_exported public import Darwin
#endif
