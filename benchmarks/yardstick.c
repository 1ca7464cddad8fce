/* The yardstick: first-empty-cell depth-first search over all reveals at once, nothing clever.

   A label is a piece of one fixed place, and each category is used once, like a piece. Copies of
   a piece carry no names. Boards of at most 64 cells, at most 64 items, at most 8 categories.

   stdin:  cells pieces categories; copies of each piece; number of labels of each category;
           number of options; per option its item (pieces first, then categories), its label
           within the category (0 for a piece), and its cells as a hexadecimal mask. Bit 0 is
           the cell to be filled first: the caller chooses the order.
   stdout: the number of tilings of each reveal, one per line, in canonical order. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { uint64_t cells; int item; uint64_t step; } Option;

static int left[72];       /* copies left of each item */
static Option *first[64];  /* the options whose first cell is the index ... */
static int options[64];    /* ... and how many */
static uint64_t full, *tilings;

static void fill(uint64_t covered, uint64_t reveal)
{
    if (covered == full) { tilings[reveal]++; return; }
    int cell = __builtin_ctzll(~covered);
    for (Option *o = first[cell], *end = o + options[cell]; o < end; o++) {
        if (covered & o->cells || !left[o->item]) continue;
        left[o->item]--;
        fill(covered | o->cells, reveal + o->step);
        left[o->item]++;
    }
}

static int number(void)
{
    int value;
    if (scanf("%d", &value) != 1 || value < 0) exit(2);
    return value;
}

int main(void)
{
    int cells = number(), pieces = number(), categories = number(), labels[8];
    if (cells < 1 || cells > 64 || pieces > 64 || categories > 8) return 2;
    uint64_t reveals = 1, stride[8];
    for (int i = 0; i < pieces; i++) left[i] = number();
    for (int i = 0; i < categories; i++) { labels[i] = number(); left[pieces + i] = 1; }
    for (int i = categories - 1; i >= 0; i--) { stride[i] = reveals; reveals *= labels[i]; }
    tilings = calloc(reveals, sizeof *tilings);
    full = cells == 64 ? UINT64_MAX : (UINT64_C(1) << cells) - 1;
    int many = number();
    for (int i = 0; i < cells; i++) first[i] = malloc((many + 1) * sizeof(Option));
    while (many--) {
        Option o = { .item = number() };
        int label = number();
        if (scanf("%" SCNx64, &o.cells) != 1 || !o.cells || o.item >= pieces + categories) return 2;
        o.step = o.item >= pieces ? label * stride[o.item - pieces] : 0;
        int cell = __builtin_ctzll(o.cells);
        first[cell][options[cell]++] = o;
    }
    fill(0, 0);
    for (uint64_t r = 0; r < reveals; r++) printf("%" PRIu64 "\n", tilings[r]);
    return 0;
}
