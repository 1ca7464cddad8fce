/* Exact covers by sets of options: choose the need with the fewest options, try each of them.

   A need is a cell, or a piece: each exact cover has one option of every need. A set of options is
   an array of 64-bit words. The needs of a node are stored behind those of its parent.

   stdin:  options needs; per need its number of options and these; the number of pairs of options
           that exclude each other besides those with a common need, and the pairs.
   stdout: the number of exact covers. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int words;
static uint64_t *compatible; /* per option: the options that may be together with it */
static uint64_t covers;

static int number(void)
{
    int value;
    if (scanf("%d", &value) != 1 || value < 0) exit(2);
    return value;
}

static int has(const uint64_t *set, int option) { return set[option / 64] >> option % 64 & 1; }

static int size(const uint64_t *set)
{
    int found = 0;
    for (int w = 0; w < words; w++) found += __builtin_popcountll(set[w]);
    return found;
}

/* Write the needs that are left after an option; return how many, or -1 if one has no option. */
static int place(const uint64_t *needs, int many, int option, uint64_t *left)
{
    const uint64_t *fits = compatible + (size_t)option * words;
    int kept = 0;
    for (int n = 0; n < many; n++, needs += words) {
        if (has(needs, option)) continue;
        uint64_t any = 0, *set = left + (size_t)kept++ * words;
        for (int w = 0; w < words; w++) any |= set[w] = needs[w] & fits[w];
        if (!any) return -1;
    }
    return kept;
}

static void search(const uint64_t *needs, int many)
{
    const uint64_t *fewest = needs;
    for (int n = 0, least = INT32_MAX; n < many && least > 1; n++) {
        int options = size(needs + (size_t)n * words);
        if (options < least) {
            least = options;
            fewest = needs + (size_t)n * words;
        }
    }
    uint64_t *left = (uint64_t *)needs + (size_t)many * words;
    for (int w = 0; w < words; w++)
        for (uint64_t rest = fewest[w]; rest; rest &= rest - 1) {
            int kept = place(needs, many, 64 * w + __builtin_ctzll(rest), left);
            if (kept > 0) search(left, kept);
            else if (!kept) covers++;
        }
}

int main(void)
{
    int options = number(), many = number();
    words = (options + 63) / 64;
    /* a node has at least one need less than its parent */
    uint64_t *needs = calloc((size_t)(many + 1) * (many + 1) * words + 1, sizeof *needs);
    compatible = malloc((size_t)options * words * sizeof *compatible + 1);
    if (!needs || !compatible) return 1;
    memset(compatible, 0xff, (size_t)options * words * sizeof *compatible);
    for (int n = 0; n < many; n++) {
        uint64_t *set = needs + (size_t)n * words;
        for (int left = number(); left > 0; left--) {
            int option = number();
            if (option >= options) return 2;
            set[option / 64] |= UINT64_C(1) << option % 64;
        }
        for (int o = 0; o < options; o++)
            if (has(set, o))
                for (int w = 0; w < words; w++) compatible[(size_t)o * words + w] &= ~set[w];
    }
    for (int pairs = number(); pairs > 0; pairs--) {
        int a = number(), b = number();
        if (a >= options || b >= options) return 2;
        compatible[(size_t)a * words + b / 64] &= ~(UINT64_C(1) << b % 64);
        compatible[(size_t)b * words + a / 64] &= ~(UINT64_C(1) << a % 64);
    }
    search(needs, many);
    printf("%" PRIu64 "\n", covers);
    return 0;
}
