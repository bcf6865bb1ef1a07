// For programs that were written for ReactiveSwift. They import this module under the same name, and their tests find
// `TestScheduler` in it. It has no code of its own.

@_exported public import Corinth
@_exported public import CorinthFoundation
@_exported public import class CorinthTesting.TestScheduler
