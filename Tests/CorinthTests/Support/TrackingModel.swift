// Without the library, whose internal class `Observation` hides the module of that name from the macro.
import Observation

/// A model with one property, for tests that import the library's internals.
@Observable
final class TrackingModel {
    var number = 0
}
