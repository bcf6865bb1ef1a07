#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE 1
#endif
#include "CCorinth.h"
#include "unwind.h"

#include <string.h>

#if defined(__linux__)
#include <link.h>

// Swift code has frame pointers. The C library has none, so that the function that calls it, mostly the one that is asked for, would be
// missing. So calls are followed by the tables for exceptions (Linux Standard Base Core 5.0, 10.6; DWARF 4, 6.4), which all code for
// x86-64 has; where there is none, or where it says more than is understood here, by frame pointers.

/// What is read, and where it ends.
typedef struct reader {
    const unsigned char *at, *end;
} reader;

static uint64_t take(reader *reader, size_t size) {
    uint64_t value = 0;
    if ((size_t)(reader->end - reader->at) < size) {
        reader->at = reader->end;
        return 0;
    }
    memcpy(&value, reader->at, size);
    reader->at += size;
    return value;
}

static int64_t take_signed(reader *reader, size_t size) {
    unsigned shift = 64 - 8 * (unsigned)size;
    return (int64_t)(take(reader, size) << shift) >> shift;
}

/// A number in LEB128, and the sign that it has if it is signed.
static int64_t take_number(reader *reader, bool is_signed) {
    uint64_t value = 0;
    unsigned shift = 0;
    unsigned char byte;
    do {
        byte = (unsigned char)take(reader, 1);
        if (shift < 64) { value |= (uint64_t)(byte & 127) << shift; }
        shift += 7;
    } while ((byte & 128) != 0);
    if (is_signed && shift < 64 && (byte & 64) != 0) { value |= ~(uint64_t)0 << shift; }
    return (int64_t)value;
}

static uint64_t take_unsigned_number(reader *reader) { return (uint64_t)take_number(reader, false); }

/// An encoded pointer: its format, and from where it counts. `data` is the address of the table.
static uintptr_t take_pointer(reader *reader, unsigned encoding, const unsigned char *data) {
    const unsigned char *start = reader->at;
    uintptr_t value;
    switch (encoding & 15) {
    case 0: value = (uintptr_t)take(reader, sizeof(uintptr_t)); break;
    case 1: value = (uintptr_t)take_unsigned_number(reader); break;
    case 2: value = (uintptr_t)take(reader, 2); break;
    case 3: value = (uintptr_t)take(reader, 4); break;
    case 4: value = (uintptr_t)take(reader, 8); break;
    case 9: value = (uintptr_t)take_number(reader, true); break;
    case 10: value = (uintptr_t)take_signed(reader, 2); break;
    case 11: value = (uintptr_t)take_signed(reader, 4); break;
    case 12: value = (uintptr_t)take_signed(reader, 8); break;
    default: reader->at = reader->end; return 0;
    }
    switch (encoding & 0x70) {
    case 0x10: value += (uintptr_t)start; break;
    case 0x30: value += (uintptr_t)data; break;
    default: break;
    }
    return value;
}

/// How the registers of the caller are found: its stack ends at a register plus an offset, the return address is just below, and its
/// frame pointer is there at an offset, or unchanged.
typedef struct rules {
    uint64_t base;
    int64_t offset, fp_offset;
    bool saves_fp;
    /// Whether there is no caller, or one that these rules can't describe.
    bool is_last, is_unknown;
} rules;

// The registers' numbers.
enum { fp_register = 6, sp_register = 7, pc_register = 16 };

/// What the functions of a file have in common.
typedef struct {
    uint64_t code_step;
    int64_t data_step;
    unsigned encoding;
    bool has_size;
    reader instructions;
} common;

static void save(rules *rules, uint64_t number, int64_t offset) {
    if (number == fp_register) {
        rules->saves_fp = true;
        rules->fp_offset = offset;
    } else if (number == pc_register && offset != -8) {
        rules->is_unknown = true;
    }
}

/// Follows instructions as far as they hold at an offset in the function.
static void follow(reader reader, const common *common, uint64_t offset, const rules *initial, rules *rules) {
    struct rules remembered[8];
    size_t depth = 0;
    uint64_t at = 0;
    while (reader.at < reader.end) {
        unsigned code = (unsigned)take(&reader, 1), low = code & 63;
        uint64_t number;
        switch (code & 0xC0) {
        case 0x40: at += low * common->code_step; break;
        case 0x80: save(rules, low, take_number(&reader, false) * common->data_step); break;
        case 0xC0:
            if (low == fp_register) { rules->saves_fp = initial->saves_fp; rules->fp_offset = initial->fp_offset; }
            break;
        default:
            switch (code) {
            case 0x00: break;
            case 0x02: at += take(&reader, 1) * common->code_step; break;
            case 0x03: at += take(&reader, 2) * common->code_step; break;
            case 0x04: at += take(&reader, 4) * common->code_step; break;
            case 0x05:
                number = take_unsigned_number(&reader);
                save(rules, number, take_number(&reader, false) * common->data_step);
                break;
            case 0x11:
                number = take_unsigned_number(&reader);
                save(rules, number, take_number(&reader, true) * common->data_step);
                break;
            case 0x06:
            case 0x08:
                if (take_unsigned_number(&reader) == fp_register) { rules->saves_fp = false; }
                break;
            case 0x07: if (take_unsigned_number(&reader) == pc_register) { rules->is_last = true; } break;
            case 0x0A: if (depth < 8) { remembered[depth++] = *rules; } break;
            case 0x0B: if (depth > 0) { *rules = remembered[--depth]; } break;
            case 0x0C:
                rules->base = take_unsigned_number(&reader);
                rules->offset = take_number(&reader, false);
                break;
            case 0x12:
                rules->base = take_unsigned_number(&reader);
                rules->offset = take_number(&reader, true) * common->data_step;
                break;
            case 0x0D: rules->base = take_unsigned_number(&reader); break;
            case 0x0E: rules->offset = take_number(&reader, false); break;
            case 0x13: rules->offset = take_number(&reader, true) * common->data_step; break;
            case 0x2E: take_unsigned_number(&reader); break;
            // An expression, as of a function that only jumps on, or of a signal's frame.
            default: rules->is_unknown = true; return;
            }
        }
        // An advance beyond it: what follows doesn't hold yet.
        if (at > offset) { return; }
    }
}

/// The contents of the record at an address.
static reader record(const unsigned char *at) {
    reader reader = {at, at + 4};
    uint64_t size = take(&reader, 4);
    // The longer form isn't used, and 0 ends the table.
    return (struct reader){reader.at, size == 0xFFFFFFFF ? reader.at : reader.at + size};
}

static bool read_common(const unsigned char *at, common *common) {
    reader reader = record(at);
    if (take(&reader, 4) != 0) { return false; }
    unsigned version = (unsigned)take(&reader, 1);
    const char *letters = (const char *)reader.at;
    while (take(&reader, 1) != 0) {}
    common->code_step = take_unsigned_number(&reader);
    common->data_step = take_number(&reader, true);
    if (version == 1) { take(&reader, 1); } else { take_unsigned_number(&reader); }
    common->encoding = 0;
    common->has_size = *letters == 'z';
    for (; *letters != 0; letters++) {
        switch (*letters) {
        case 'z': take_unsigned_number(&reader); break;
        case 'R': common->encoding = (unsigned)take(&reader, 1); break;
        case 'L': take(&reader, 1); break;
        case 'P': take_pointer(&reader, (unsigned)take(&reader, 1), NULL); break;
        case 'S': break;
        default: return false;
        }
    }
    common->instructions = reader;
    return true;
}

/// Looks for the rules at an address in the table of a file, which is sorted by address.
static bool find_rules(const unsigned char *table, uintptr_t address, rules *found) {
    reader reader = {table, table + 64};
    if (take(&reader, 1) != 1) { return false; }
    unsigned pointer = (unsigned)take(&reader, 1), number = (unsigned)take(&reader, 1), entry = (unsigned)take(&reader, 1);
    // The usual form: two numbers of four bytes that count from the table.
    if (entry != 0x3B || number == 0xFF) { return false; }
    take_pointer(&reader, pointer, table);
    size_t count = take_pointer(&reader, number, table), low = 0, high = count;
    const unsigned char *entries = reader.at;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int32_t start;
        memcpy(&start, entries + middle * 8, 4);
        if ((uintptr_t)table + (uintptr_t)(intptr_t)start <= address) { low = middle + 1; } else { high = middle; }
    }
    if (low == 0) { return false; }
    int32_t at;
    memcpy(&at, entries + (low - 1) * 8 + 4, 4);
    struct reader function = record(table + at);
    const unsigned char *link = function.at;
    uint64_t back = take(&function, 4);
    common common;
    if (back == 0 || !read_common(link - back, &common)) { return false; }
    uintptr_t start = take_pointer(&function, common.encoding, NULL);
    uintptr_t size = take_pointer(&function, common.encoding & 15, NULL);
    if (address - start >= size) { return false; }
    if (common.has_size) {
        uint64_t more = take_unsigned_number(&function);
        function.at += more;
    }
    *found = (rules){.base = sp_register};
    follow(common.instructions, &common, UINT64_MAX - 1, found, found);
    rules initial = *found;
    follow(function, &common, address - start, &initial, found);
    return true;
}

typedef struct {
    uintptr_t address;
    rules rules;
    bool is_code, is_found;
} search;

/// The file stays in memory while this looks at it.
static int visit(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    search *search = context;
    const unsigned char *table = NULL;
    bool is_here = false;
    for (int index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[index];
        uintptr_t start = info->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_GNU_EH_FRAME) { table = (const unsigned char *)start; }
        is_here = is_here || (header->p_type == PT_LOAD && (header->p_flags & PF_X) != 0 && search->address - start < header->p_memsz);
    }
    if (!is_here) { return 0; }
    search->is_code = true;
    search->is_found = table != NULL && find_rules(table, search->address, &search->rules);
    return 1;
}

static bool read_word(const ccorinth_registers *registers, uintptr_t address, uintptr_t *value) {
    uintptr_t offset = address - registers->sp;
    if (registers->size < sizeof *value || offset > registers->size - sizeof *value) { return false; }
    memcpy(value, registers->stack + offset, sizeof *value);
    return true;
}

static bool is_code(uintptr_t address) {
    search search = {.address = address - 1};
    dl_iterate_phdr(visit, &search);
    return search.is_code;
}

/// The nearest place from an address on where a frame pointer seems to have been saved: a place above it, and then code.
static bool guess_fp(const ccorinth_registers *registers, uintptr_t from, uintptr_t *fp) {
    uintptr_t saved, back;
    for (uintptr_t at = from; read_word(registers, at + sizeof at, &back); at += sizeof at) {
        if (read_word(registers, at, &saved) && saved > at && saved - registers->sp < registers->size && is_code(back)) {
            *fp = at;
            return true;
        }
    }
    return false;
}

size_t ccorinth_unwind(ccorinth_registers registers, uintptr_t *frames, size_t most) {
    uintptr_t pc = registers.pc, sp = registers.sp, fp = registers.fp;
    bool knows_fp = registers.knows_fp;
    size_t count = 0;
    while (count < most && pc != 0) {
        frames[count++] = pc;
        // A call may be the last instruction of its function, so that its return address isn't in it any more.
        search search = {.address = count == 1 ? pc : pc - 1};
        dl_iterate_phdr(visit, &search);
        rules rules = search.rules;
#if defined(__x86_64__)
        bool is_found = search.is_found && !rules.is_unknown;
#else
        // Other processors have other registers, and frame pointers everywhere.
        bool is_found = false;
#endif
        if (is_found && rules.is_last) { break; }
        if (!is_found || rules.base != sp_register) {
            if (is_found && rules.base != fp_register) { break; }
            if (!knows_fp && !guess_fp(&registers, sp, &fp)) { break; }
            knows_fp = true;
        }
        if (!is_found) {
            rules = (struct rules){.base = fp_register, .offset = 16, .saves_fp = true, .fp_offset = -16};
        }
        uintptr_t end = (rules.base == sp_register ? sp : fp) + (uintptr_t)rules.offset;
        // Outwards only.
        if (end <= sp || !read_word(&registers, end - sizeof pc, &pc)) { break; }
        // Swift marks the frames of asynchronous functions with this bit.
        if (rules.saves_fp && read_word(&registers, end + (uintptr_t)rules.fp_offset, &fp)) {
            fp &= ~((uintptr_t)1 << 60);
            knows_fp = true;
        }
        sp = end;
    }
    return count;
}
#else
size_t ccorinth_unwind(ccorinth_registers registers, uintptr_t *frames, size_t most) {
    (void)registers;
    (void)frames;
    (void)most;
    return 0;
}
#endif
