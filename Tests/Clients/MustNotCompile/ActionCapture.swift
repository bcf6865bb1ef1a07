import Corinth

// An action may be executed on any thread. Executions don't overlap, but other code may read the variable at the same time.
func actionCapture() -> (Action<Int, Int, Never>, Int) {
    var executions = 0
    let action = Action<Int, Int, Never> { input in
        executions += 1  // expected: concurrently-executing
        return SignalProducer(value: input)
    }
    return (action, executions)
}
