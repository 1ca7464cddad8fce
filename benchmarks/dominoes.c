/* Domino tilings of a rectangle by its broken profile: reads rows and columns, writes hexadecimal.
   Bit c of a profile says whether the next cell of column c is covered already. LIMBS words of 64
   bits hold a number; there are at most 2^(0.43 * cells) tilings, and an overflow is an abort. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { uint64_t limb[LIMBS]; } number;

static void add(number *to, const number *more) {
    unsigned __int128 carry = 0;
    for (int n = 0; n < LIMBS; n++) {
        carry += (unsigned __int128)to->limb[n] + more->limb[n];
        to->limb[n] = (uint64_t)carry;
        carry >>= 64;
    }
    if (carry) abort();
}

int main(void) {
    int rows, columns;
    if (scanf("%d %d", &rows, &columns) != 2) return 1;
    int width = rows < columns ? rows : columns, length = rows + columns - width;
    if (width > 28) return 1;
    size_t profiles = (size_t)1 << width;
    number *now = calloc(profiles, sizeof *now), *next = calloc(profiles, sizeof *next), zero = {{0}};
    if (!now || !next) return 1;
    now[0].limb[0] = 1;
    for (int row = 0; row < length; row++)
        for (int column = 0; column < width; column++) {
            size_t here = (size_t)1 << column, beside = here << 1;
            memset(next, 0, profiles * sizeof *next);
            for (size_t profile = 0; profile < profiles; profile++) {
                if (!memcmp(&now[profile], &zero, sizeof zero)) continue;
                if (profile & here) {
                    add(&next[profile ^ here], &now[profile]);
                    continue;
                }
                if (row + 1 < length) add(&next[profile | here], &now[profile]);
                if (column + 1 < width && !(profile & beside))
                    add(&next[profile | beside], &now[profile]);
            }
            number *swapped = now;
            now = next;
            next = swapped;
        }
    for (int n = LIMBS - 1; n >= 0; n--) printf("%016llx", (unsigned long long)now[0].limb[n]);
    printf("\n");
    return 0;
}
