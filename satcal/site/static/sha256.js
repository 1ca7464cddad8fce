// SHA-256 (FIPS 180-4) of short texts: `crypto.subtle` is missing where a page comes by plain HTTP from another machine.

/** Return the fractional parts of roots of the first primes, 32 bits. @param {number} number @param {number} root */
function fractions(number, root) {
  /** @type {number[]} */
  const primes = [];
  for (let each = 2; primes.length < number; each += 1) if (primes.every((prime) => each % prime)) primes.push(each);
  return primes.map((prime) => ((prime ** (1 / root)) % 1) * 2 ** 32 | 0);
}
const START = fractions(8, 2), ROUNDS = fractions(64, 3);
const turn = (/** @type {number} */ word, /** @type {number} */ by) => word >>> by | word << (32 - by);

/** @param {Uint8Array} bytes @returns {string} in hexadecimal */
export function sha256(bytes) {
  const padded = new Uint8Array((bytes.length + 72) >> 6 << 6);
  padded.set(bytes);
  padded[bytes.length] = 128;
  const view = new DataView(padded.buffer), state = Int32Array.from(START), words = new Int32Array(64);
  view.setUint32(padded.length - 4, bytes.length * 8);
  for (let block = 0; block < padded.length; block += 64) {
    for (let t = 0; t < 64; t += 1) {
      const [early, late] = [words[t - 15], words[t - 2]];
      words[t] = t < 16 ? view.getInt32(block + 4 * t)
        : words[t - 16] + (turn(early, 7) ^ turn(early, 18) ^ early >>> 3) + words[t - 7] + (turn(late, 17) ^ turn(late, 19) ^ late >>> 10);
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let t = 0; t < 64; t += 1) {
      const one = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + (e & f ^ ~e & g) + ROUNDS[t] + words[t] | 0;
      const other = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + (a & b ^ a & c ^ b & c) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, d + one | 0, c, b, a, one + other | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, at) => { state[at] += word; });
  }
  return [...state].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}
