// What the library needs of Foundation: `Date` and `TimeInterval`. On Linux, they are in a library of their own, without which a
// program would need 50 others.

#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
