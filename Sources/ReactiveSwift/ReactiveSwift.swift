// For programs that were written for ReactiveSwift: they import this module as they imported that one, and their tests find
// `TestScheduler` in it. It has nothing of its own.

@_exported public import Corinth
@_exported public import class CorinthTesting.TestScheduler
