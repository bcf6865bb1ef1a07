/// What the product ReactiveSwift does when a program that contains it starts: see `main_order.c`.
#ifndef CREACTIVESWIFT_H
#define CREACTIVESWIFT_H
#endif
