// `import SQLPlus` is enough: its calls take and return the types of these.
@_exported public import SQLCore

#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
