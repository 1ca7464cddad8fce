// Checks a certificate (docs/reference/certificates.md) with nothing but its drawings: this file shares no code with
// what counts. It reads the puzzle, finds the placements, and walks through the trees. Sets are bits of 32-bit words.
// `report` returns the verdict and the lines to show; `check` what is proved.

/** @typedef {{name: string, digest: string, unnamed: string, cells: number[], at: Map<number, number>, labels: Map<string, number[]>,
 *   categories: Set<string>[], kinds: {looks: number[][][], copies: number}[]}} Puzzle
 * @typedef {{labels: string[], tilings: bigint}} Stated
 * @typedef {{puzzle: Puzzle, stated: Stated[], nodes: number}} Proved
 * @typedef {{verdict: "accepted" | "refused" | "not checked", reason: string, lines: string[], proved?: Proved}} Report */

const BOUNDS = {
  file: 2 ** 28, puzzle: 2 ** 20, name: 200, side: 64, label: 32, cells: 1024, categories: 16, category: 32, squares: 1024,
  copies: 1024, placements: 20_000, placed: 400_000, groups: 10_000, reveals: 100_000, nodes: 20_000_000, marks: 500_000, work: 400_000_000,
};
const RANGES = ""; // of characters; written by `satcal site`
const CHARACTERS = new RegExp(`^[\n${RANGES.replaceAll(/[0-9A-F]+/g, "\\u{$&}").replaceAll(" ", "")}]$`, "u");
const NUMBER = "(0|[1-9][0-9]{0,14})";
const HEAD = new RegExp(`^puzzle ${NUMBER} groups ([1-9][0-9]{0,14}) reveals ${NUMBER} work ${NUMBER}$`);
const GROUP = new RegExp(`^group reveals ${NUMBER} nodes ${NUMBER} marks ${NUMBER} work ${NUMBER} trees ${NUMBER}$`);
const REVEAL = /^reveal((?: "[^"\\]*")*) tilings (0|[1-9][0-9]{0,1399})$/;
const PIECE = /^([A-Za-z][0-9]{0,3}) = \{ shape = "([^"]+)", copies = (0|[1-9][0-9]{0,14}), flip = (true|false) \}$/;
const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const [MOST_OF_A_NAME, COLUMNS] = [60, 76];

/** A certificate that is beyond the bounds: it is neither accepted nor refused. */
export class NotChecked extends Error {}

/** A certificate that breaks a rule of the format, or proves another number. Any other error, such as a lack of memory, says
 * nothing about the file. */
export class Refused extends Error {}

/** @param {boolean} holds @param {string} what */
function need(holds, what) {
  if (!holds) throw new Refused(what);
}

/** @param {Uint8Array} bytes */
function decode(bytes) {
  try {
    return text.decode(bytes);
  } catch {
    throw new Refused("not UTF-8 text");
  }
}

/** @param {keyof typeof BOUNDS} what @param {number} number */
function bound(what, number) {
  if (number > BOUNDS[what]) throw new NotChecked(`${what}: ${number}; at most ${BOUNDS[what]} are checked`);
}

/** Check a certificate, and return its verdict with the lines of its report, as docs/check.py prints them.
 *
 * `lines` begins with the verdict. If the certificate is accepted, a line follows for each reveal, with the puzzle and its
 * exact number; these lines also say nothing that is not proved. Without `wanted`, the puzzle is drawn first. Every line with
 * text of the file begins with a bar ("| "): show each line as one line, in a fixed width, without translating or joining it.
 * `wanted` is the digest and the name of the reader's puzzle, of the page's own library and never out of a link or a file: a
 * certificate of another puzzle is refused.
 * @param {Uint8Array} bytes @param {{digest: string, name: string}} [wanted] @returns {Promise<Report>} */
export async function report(bytes, wanted) {
  try {
    const proved = await check(bytes, wanted?.digest);
    const { puzzle, stated } = proved;
    const digest = puzzle.digest.slice(0, 32); // two puzzles cannot share it
    const drawing = wanted ? [] : [`calls itself "${cut(puzzle.name)}"`, ...puzzle.unnamed.split("\n").slice(0, -1)];
    const about = wanted?.name ?? `puzzle ${digest}`;
    const numbers = stated.flatMap(({ labels, tilings }) => {
      const reveal = labels.map((label) => `"${label}"`).join(" ") || "the board";
      const number = `exactly ${tilings} tiling${tilings === 1n ? "" : "s"}`;
      const whole = folded(`${about}: ${reveal}: ${number}`);
      return whole.length === 1 ? whole : [...folded(`| ${reveal}`), `${about}: this reveal: ${number}`]; // no number is cut
    });
    const verdict = `accepted; puzzle ${digest}, ${wanted ? `that of ${wanted.name}` : "drawn:"}`;
    return { verdict: "accepted", reason: "", lines: [verdict, ...drawing.flatMap((line) => folded(`| ${line}`)), ...numbers], proved };
  } catch (error) {
    const verdict = error instanceof Refused ? "refused" : "not checked";
    const reason = /** @type {Error} */ (error).message;
    return { verdict, reason, lines: [`${verdict}: ${reason}`] };
  }
}

/** Cut a name. @param {string} name */
function cut(name) {
  const characters = [...name];
  return characters.length <= MOST_OF_A_NAME ? name : `${characters.slice(0, MOST_OF_A_NAME - 1).join("")}\u2026`;
}

/** Fold a text of the file so that no screen folds it into what looks like a verdict: each line but the first begins with
 * a bar. A character beyond ASCII may take two columns; words that are written to the left do not move what is beside them.
 * @param {string} text @returns {string[]} */
function folded(text) {
  const lines = [""];
  let column = 0;
  for (const character of text) {
    const width = character > "~" ? 2 : 1;
    if (column + width > COLUMNS) {
      lines.push("| ");
      column = 2;
    }
    lines[lines.length - 1] += character;
    column += width;
  }
  return lines.map((line) => line.replace(/[^\s"',:]+/g, (word) => (/^[\0-\x7f]*$/.test(word) ? word : `\u2068${word}\u2069`)));
}

/** Check a certificate; throw NotChecked beyond the bounds, and Refused with the reason of a refusal.
 * @param {Uint8Array} bytes @param {string} [wanted] the digest of the puzzle that it has to be about
 * @returns {Promise<Proved>} */
export async function check(bytes, wanted) {
  bound("file", bytes.length);
  let place = 0;
  const block = (/** @type {number} */ size) => {
    need(place + size <= bytes.length, "the file is cut off");
    place += size;
    return bytes.subarray(place - size, place);
  };
  const line = () => {
    const end = bytes.indexOf(10, place);
    need(end >= 0 && end - place < 65_536, "a line of text is missing or too long");
    return decode(block(end - place + 1).subarray(0, -1));
  };
  const numbers = (/** @type {RegExp} */ form) => {
    const found = form.exec(line());
    need(found !== null, `byte ${place}: the line before has another form`);
    return /** @type {RegExpExecArray} */ (found).slice(1).map(Number);
  };
  need(line() === "satcal certificate 4", "the first line");
  const [size, groups, reveals, work] = numbers(HEAD);
  bound("puzzle", size);
  bound("groups", groups);
  bound("reveals", reveals);
  bound("work", work);
  const puzzle = await readPuzzle(block(size));
  need(wanted === undefined || wanted === puzzle.digest, "it is about another puzzle");
  const board = boardOf(puzzle);
  /** @type {Stated[]} */
  const stated = [];
  const seen = new Set();
  let [left, nodes] = [work, 0];
  for (let group = 0; group < groups; group += 1) {
    const [of, tokens, marks, steps, packed] = numbers(GROUP);
    bound("reveals", stated.length + of);
    bound("nodes", tokens);
    bound("marks", marks);
    bound("work", steps);
    left -= steps;
    need(of > 0 && stated.length + of <= reveals && left >= 0, "a group with no reveals, or more reveals or work than the head has");
    need(tokens <= steps + of, "a group with more nodes than its work and its reveals reach");
    for (let each = 0; each < of; each += 1) stated.push(readReveal(line(), puzzle, seen));
    const trees = numbersOf(await inflate(block(packed), 2 * tokens));
    need(trees.length === tokens && trees.reduce((sum, token) => sum + (token & 1), 0) === marks, "the nodes or marks");
    walk(puzzle, board, stated.slice(-of), trees, marks, steps);
    nodes += tokens;
  }
  need(stated.length === reveals && left === 0, "the groups do not have the reveals and the work that the head states");
  const digest = await sha256(bytes.subarray(0, place));
  need(line() === `sha256 ${digest}`, "the digest");
  need(place === bytes.length, "more after the digest");
  return { puzzle, stated, nodes };
}

/** @param {Uint8Array} bytes */
async function sha256(bytes) {
  const sum = await crypto.subtle.digest("SHA-256", /** @type {any} */ (bytes));
  return [...new Uint8Array(sum)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} line @param {Puzzle} puzzle @param {Set<string>} seen @returns {Stated} */
function readReveal(line, { categories }, seen) {
  const found = REVEAL.exec(line);
  need(found !== null, "a reveal's line");
  const [, listed, tilings] = /** @type {RegExpExecArray} */ (found);
  const labels = listed ? listed.slice(2, -1).split('" "') : [];
  const key = labels.join("\n");
  need(labels.length === categories.length && labels.every((label, at) => categories[at].has(label)), "not a label of each category");
  need(!seen.has(key), "a reveal twice");
  seen.add(key);
  return { labels, tilings: BigInt(tilings) };
}

/** Unpack a raw deflate stream that has no bytes after it.
 * @param {Uint8Array} packed @param {number} most */
async function inflate(packed, most) {
  // browsers may pass over what follows a stream: without its last byte it must not be whole
  need(packed.length > 0 && await unpack(packed.subarray(0, -1), most).then(() => false, () => true), "the trees end before their bytes");
  return unpack(packed, most);
}

/** @param {Uint8Array} packed @param {number} most */
async function unpack(packed, most) {
  const stream = new Blob([/** @type {any} */ (packed)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const whole = new Uint8Array(most);
  const reader = stream.getReader();
  const next = () => reader.read().catch(() => {
    throw new Refused("damaged compressed data");
  });
  let size = 0;
  for (let part = await next(); !part.done; part = await next()) {
    need(size + part.value.length <= most, "more tokens than stated");
    whole.set(part.value, size);
    size += part.value.length;
  }
  return whole.subarray(0, size);
}

/** Return the numbers of tokens: 7 bits in one byte, or 14 in two, the low ones first. @param {Uint8Array} tokens */
function numbersOf(tokens) {
  const found = new Uint16Array(tokens.length);
  let size = 0;
  for (let at = 0; at < tokens.length; at += 1, size += 1) {
    const low = tokens[at];
    if (low >= 128) at += 1;
    const high = low < 128 ? 1 : tokens[at];
    need(high >= 1 && high <= 127, "a token");
    found[size] = low + 128 * (high - 1);
  }
  return found.subarray(0, size);
}

/** Parse a puzzle. @param {Uint8Array} bytes @returns {Promise<Puzzle>} */
async function readPuzzle(bytes) {
  const whole = decode(bytes);
  for (const character of whole) need(CHARACTERS.test(character), "a character that is not in the format's set");
  const lines = whole.split("\n");
  const to = (/** @type {string} */ end, /** @type {number} */ from) => lines.indexOf(end, from);
  const [boardEnd, name] = [to('"""', 2), /^name = "([^"\\]*)"$/.exec(lines[0])];
  const listEnd = to("", boardEnd + 3);
  const rows = lines.slice(2, boardEnd);
  const drawn = lines.slice(listEnd + 2, -1);
  const form = name !== null && lines[1] === 'board = """' && boardEnd > 2 && lines[boardEnd + 1] === "" && lines[boardEnd + 2] === "[categories]"
    && listEnd > 0 && lines[listEnd + 1] === "[pieces]" && drawn.length > 0 && lines[lines.length - 1] === "";
  need(form && rows.every((row) => row !== "" && !/["\\]/.test(row)) && !drawn.includes(""), "the puzzle's form");
  bound("name", [...(name?.[1] ?? "")].length);
  /** @type {number[]} */
  const cells = [];
  /** @type {Map<string, number[]>} */
  const labels = new Map();
  rows.forEach((row, r) => {
    const tokens = row.split(" ").filter((token) => token !== "");
    bound("side", Math.max(r + 1, tokens.length));
    bound("label", Math.max(0, ...tokens.map((token) => [...token].length)));
    tokens.forEach((token, c) => {
      if (token === ".") return;
      if (token !== "*") labels.set(token, [...(labels.get(token) ?? []), cells.length]);
      cells.push(r * 128 + c);
    });
  });
  bound("cells", cells.length);
  need(cells.length > 0, "the board has no cells");
  const listed = lines.slice(boardEnd + 3, listEnd);
  const categories = readCategories(listed);
  need([...labels.keys()].sort().join("\n") === categories.flatMap((each) => each).sort().join("\n"), "each label is in one category");
  const unnamed = bytes.subarray(bytes.indexOf(10) + 1);
  const at = new Map(cells.map((cell, number) => [cell, number]));
  return { name: name?.[1] ?? "", digest: await sha256(unnamed), unnamed: decode(unnamed), cells, at, labels, categories: categories.map((each) => new Set(each)), kinds: readPieces(drawn) };
}

/** @param {string[]} lines */
function readCategories(lines) {
  const names = new Set();
  return lines.map((line) => {
    bound("categories", names.size + 1);
    const found = /^"([^"\\]*)" = \["(.*)"\]$/.exec(line);
    const list = found?.[2].split('", "') ?? [];
    need(found !== null, "a category"); // a label with a quotation mark is on no board
    bound("category", [...(found?.[1] ?? "")].length);
    need(!names.has(found?.[1]), "a category twice");
    names.add(found?.[1]);
    return list;
  });
}

/** Parse the kinds of pieces: those with the same looks are one kind. @param {string[]} lines */
function readPieces(lines) {
  /** @type {Map<string, Puzzle["kinds"][number]>} */
  const kinds = new Map();
  const names = new Set();
  let area = 0;
  for (const line of lines) {
    const found = PIECE.exec(line);
    need(found !== null, "a piece");
    const [, name, drawing, copies, flip] = /** @type {RegExpExecArray} */ (found);
    const rows = drawing.split("\\n");
    bound("side", rows.length);
    bound("side", Math.max(...rows.map((row) => [...row].length)));
    bound("copies", Number(copies));
    const squares = rows.flatMap((row, r) => [...row].flatMap((mark, c) => (mark === "#" ? [[r, c]] : [])));
    need(!/[^#.]/.test(rows.join("")), "a mark other than # and . in a piece");
    need(squares.length > 0 && copies !== "0", "a piece without squares or copies");
    need(!names.has(name), "a piece's name twice");
    names.add(name);
    area += squares.length;
    bound("squares", area);
    const faces = flip === "true" ? [squares, squares.map(([r, c]) => [r, -c])] : [squares];
    const looks = new Map(faces.flatMap(turned).map((look) => [look.join(";"), look]));
    const key = [...looks.keys()].sort().join("|");
    const kind = kinds.get(key) ?? { looks: [...looks.values()], copies: 0 };
    kind.copies += Number(copies);
    kinds.set(key, kind);
  }
  return [...kinds.values()];
}

/** Return squares turned clockwise by 0, 90, 180 and 270 degrees, each sorted. @param {number[][]} squares */
function turned(squares) {
  const looks = [];
  for (let turns = 0; turns < 4; turns += 1, squares = squares.map(([r, c]) => [c, -r])) {
    const [top, left] = [0, 1].map((axis) => Math.min(...squares.map((square) => square[axis])));
    looks.push(squares.map(([r, c]) => [r - top, c - left]).sort(([a, b], [r, c]) => a - r || b - c));
  }
  return looks;
}

/** @typedef {{ kind: number, uses: number[], key: number, excludes: Uint32Array }} Placed what it takes from a state (places of
 *   bits), how the state's key changes by that, and the placements that do not fit beside it
 * @typedef {{ area: number, words: number, things: number, start: Uint32Array, fields: { word: number, mask: number, of: Uint32Array }[],
 *   placed: Placed[], named: Uint32Array[], keys: Uint32Array, hides: Map<string, Uint32Array> }} Board */

/** Return the placements and the form of a state: a bit for each cell and each kind of one copy, then for each other kind a
 * field of bits with its copies left, which is within one word. @param {Puzzle} puzzle @returns {Board} */
function boardOf({ cells, at, labels, kinds }) {
  const lowest = kinds.map(() => 0);
  let things = cells.length;
  kinds.forEach(({ copies }, kind) => copies === 1 && (lowest[kind] = things++));
  let bits = things;
  kinds.forEach(({ copies }, kind) => {
    const width = 32 - Math.clz32(copies);
    if (copies === 1) return;
    if ((bits & 31) + width > 32) bits = (bits + 31) & ~31;
    lowest[kind] = bits;
    bits += width;
  });
  const start = new Uint32Array((bits + 31) >> 5);
  for (let thing = 0; thing < things; thing += 1) start[thing >> 5] |= 1 << (thing & 31);
  kinds.forEach(({ copies }, kind) => copies > 1 && (start[lowest[kind] >> 5] |= copies << (lowest[kind] & 31)));
  // a state's key is a sum of random numbers, so that a file cannot be made of states with the same key
  const keys = crypto.getRandomValues(new Uint32Array(bits));
  /** @type {{ kind: number, uses: number[] }[]} */
  const found = [];
  let squares = 0;
  kinds.forEach(({ looks }, kind) => {
    for (const look of looks) {
      for (const cell of cells) {
        const covered = look.map(([r, c]) => at.get(cell + 128 * r + c - look[0][1]));
        if (covered.includes(undefined)) continue;
        found.push({ kind, uses: [.../** @type {number[]} */ (covered), lowest[kind]] });
        squares += look.length;
        bound("placements", found.length);
        bound("placed", squares);
      }
    }
  });
  const words = (found.length + 31) >> 5;
  const sets = (/** @type {number} */ size) => Array.from({ length: size }, () => new Uint32Array(words));
  const [named, ofKind] = [sets(things), sets(kinds.length)];
  const decided = found.map(({ uses }) => uses.filter((use) => use < things));
  found.forEach(({ kind }, number) => {
    for (const set of [ofKind[kind], ...decided[number].map((thing) => named[thing])]) set[number >> 5] |= 1 << number;
  });
  const placed = found.map(({ kind, uses }, number) => ({
    kind, uses, key: sumOf(keys, uses), excludes: union(decided[number].map((thing) => named[thing]), words),
  }));
  const fields = kinds.map(({ copies }, kind) => {
    const mask = copies > 1 ? (2 ** (32 - Math.clz32(copies)) - 1) << (lowest[kind] & 31) : 0;
    return { word: lowest[kind] >> 5, mask, of: ofKind[kind] };
  });
  const area = kinds.reduce((sum, { looks, copies }) => sum + looks[0].length * copies, 0);
  // the placements that a label excludes, once per label: reveals would join them again
  const hides = new Map([...labels].map(([label, hidden]) => [label, union(hidden.map((cell) => named[cell]), words)]));
  return { area, words, things, start, fields, placed, named, keys, hides };
}

/** @param {Uint32Array} keys @param {number[]} places */
function sumOf(keys, places) {
  return places.reduce((sum, place) => (sum + keys[place]) | 0, 0);
}

/** @param {Uint32Array[]} sets @param {number} words */
function union(sets, words) {
  const all = new Uint32Array(words);
  for (const set of sets) for (let at = 0; at < words; at += 1) all[at] |= set[at];
  return all;
}

/** The known states with their tilings, one after the other; those whose keys begin with the same bits are linked. */
class Known {
  /** @param {number} marks @param {number} words of a state */
  constructor(marks, words) {
    this.words = words;
    this.states = new Uint32Array(marks * words);
    this.shift = Math.clz32(marks | 1); // more beginnings than states, at most twice as many
    this.first = new Int32Array(2 ** (32 - this.shift)).fill(-1);
    this.after = new Int32Array(marks);
    /** @type {bigint[]} */
    this.tilings = [];
  }

  /** @param {Uint32Array} state @param {number} key */
  find(state, key) {
    const { words, states, after } = this;
    let at = this.first[key >>> this.shift];
    for (; at >= 0; at = after[at]) {
      let word = 0;
      while (word < words && states[at * words + word] === state[word]) word += 1;
      if (word === words) break;
    }
    return at < 0 ? undefined : this.tilings[at];
  }

  /** @param {Uint32Array} state @param {number} key @param {bigint} tilings */
  add(state, key, tilings) {
    const at = this.tilings.push(tilings) - 1;
    this.states.set(state, at * this.words);
    this.after[at] = this.first[key >>> this.shift];
    this.first[key >>> this.shift] = at;
  }
}

/** Walk through the trees of a group, which share the known states; without recursion, because trees may be deep.
 * @param {Puzzle} puzzle @param {Board} board @param {Stated[]} stated @param {Uint16Array} tokens @param {number} marks
 * @param {number} most */
function walk({ cells, labels, kinds }, board, stated, tokens, marks, most) {
  const { words, things, start, fields, placed, named, keys, hides } = board;
  const known = new Known(marks, start.length);
  let [next, work] = [0, 0];
  // per depth the state and its key, what fits, and the children still to be tried
  /** @type {{ state: Uint32Array, key: number, fits: Uint32Array, ways: Uint32Array, word: number, marked: boolean, before: bigint, left: number }[]} */
  const depth = [];
  const level = (/** @type {number} */ at) => {
    depth[at] ??= { state: new Uint32Array(start.length), key: 0, fits: new Uint32Array(words), ways: new Uint32Array(words), word: 0, marked: false, before: 0n, left: 0 };
    return depth[at];
  };
  for (const { labels: reveal, tilings: wanted } of stated) {
    const hidden = reveal.reduce((sum, label) => sum + (labels.get(label)?.length ?? 0), 0);
    let tilings = 0n;
    if (cells.length - hidden === board.area) {
      const root = level(0);
      root.state.set(start);
      root.key = 0;
      for (const cell of reveal.flatMap((label) => labels.get(label) ?? [])) {
        root.state[cell >> 5] -= 1 << (cell & 31);
        root.key = (root.key - keys[cell]) | 0;
      }
      const none = union(reveal.map((label) => hides.get(label) ?? new Uint32Array(words)), words);
      for (let at = 0; at < words; at += 1) root.fits[at] = ~none[at];
      if (placed.length & 31) root.fits[words - 1] &= (1 << (placed.length & 31)) - 1;
      root.left = board.area;
      for (let at = 0; at >= 0;) {
        const here = level(at);
        here.word = words;
        here.marked = false;
        if (here.left === 0) tilings += 1n;
        else {
          const found = known.find(here.state, here.key);
          if (found !== undefined) tilings += found;
          else {
            need(next < tokens.length, "the trees end too early");
            const name = lowest(here.state) + (tokens[next] >> 1);
            need(name < things && (here.state[name >> 5] & (1 << (name & 31))) !== 0, "a node names nothing");
            here.marked = (tokens[next] & 1) === 1;
            next += 1;
            here.before = tilings;
            const set = named[name];
            for (let word = 0; word < words; word += 1) here.ways[word] = here.fits[word] & set[word];
            here.word = 0;
          }
        }
        for (; at >= 0; at -= 1) { // to the next child; a node that has none left is done
          const node = depth[at];
          while (node.word < words && node.ways[node.word] === 0) node.word += 1;
          if (node.word < words) break;
          if (node.marked) known.add(node.state, node.key, tilings - node.before);
        }
        if (at < 0) break;
        const node = depth[at];
        const low = node.ways[node.word] & -node.ways[node.word];
        node.ways[node.word] ^= low;
        work += 1;
        need(work <= most, "more work than stated");
        const { kind, uses, key, excludes } = placed[32 * node.word + 31 - Math.clz32(low)];
        const below = level(at + 1);
        below.state.set(node.state);
        for (const use of uses) below.state[use >> 5] -= 1 << (use & 31);
        below.key = (node.key - key) | 0;
        below.left = node.left - kinds[kind].looks[0].length;
        for (let word = 0; word < words; word += 1) below.fits[word] = node.fits[word] & ~excludes[word];
        const { word: field, mask, of } = fields[kind];
        if (mask !== 0 && (below.state[field] & mask) === 0) for (let word = 0; word < words; word += 1) below.fits[word] &= ~of[word];
        at += 1;
      }
    }
    need(tilings === wanted, "another number of tilings");
  }
  need(next === tokens.length, "tokens follow the last tree");
  need(work === most, "another work");
}

/** Return the number of the lowest bit. @param {Uint32Array} state */
function lowest(state) {
  let word = 0;
  while (state[word] === 0) word += 1;
  return 32 * word + 31 - Math.clz32(state[word] & -state[word]);
}
