// The library as a part of a plugin: plugin LIBRARY. It is loaded, used, and closed, and its threads go on.
#include <dlfcn.h>

#include "check.h"

static atomic_int count;

static void note(void *context, corinth_value value) {
    (void)context, (void)value;
    atomic_fetch_add(&count, 1);
}

#define LOAD(name) __typeof__(name) *my_##name = (__typeof__(name) *)dlsym(library, #name)

int main(int argc, char **argv) {
    CHECK(argc == 2);
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) fprintf(stderr, "%s\n", dlerror());
    CHECK(library != NULL);
    LOAD(corinth_pipe);
    LOAD(corinth_thread_create);
    LOAD(corinth_observe_on);
    LOAD(corinth_observe);
    LOAD(corinth_send);
    corinth_input *input;
    corinth_signal *signal = my_corinth_pipe(NULL, &input);
    corinth_signal *there = my_corinth_observe_on(signal, my_corinth_thread_create("plugin", CORINTH_PARK, -1), NULL);
    my_corinth_observe(there, &(corinth_observer){.value = note});
    for (int i = 0; i < 1000; i++) {
        if (i == 500) dlclose(library);
        my_corinth_send(input, word(1));
    }
    EVENTUALLY(atomic_load(&count) == 1000);
    return 0;
}
