import Dispatch

DispatchQueue(label: "queue").sync { print("hello 2") }
