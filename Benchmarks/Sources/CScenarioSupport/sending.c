#include "CScenarioSupport.h"

static _Thread_local int64_t this_sender = -1;
static _Thread_local uint64_t foreign;

void scenario_sending_begin(int64_t sender) {
    this_sender = sender;
    foreign = 0;
}

void scenario_sending_delivered(int64_t sender) {
    if (this_sender >= 0 && this_sender != sender) foreign++;
}

uint64_t scenario_sending_foreign(void) { return foreign; }

void scenario_sending_end(void) { this_sender = -1; }
