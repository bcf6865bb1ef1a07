import Corinth

// An action may be executed from any thread. Executions don't overlap, but what else reads the variable may.
func actionCapture() -> (Action<Int, Int, Never>, Int) {
    var executions = 0
    let action = Action<Int, Int, Never> { input in
        executions += 1  // expected: concurrently-executing
        return SignalProducer(value: input)
    }
    return (action, executions)
}
