// Checks a certificate (docs/reference/certificates.md, format 3) with nothing but its drawings: this file shares
// no code with what counts. It reads the puzzle in its normal form, finds the placements, and walks the trees.

/** @typedef {{cells: number[], at: Map<string, number>, labels: Map<string, number[]>, categories: string[][],
 *   pieces: {drawings: number[][][], copies: number}[], rows: string[][], shapes: string[]}} Board
 * @typedef {{labels: string[], tilings: bigint, nodes: number, marks: number}} Reveal
 * @typedef {{puzzle: Board, reveals: Reveal[]}} Statement */

const MOST_NODES = 20_000_000;

/** @param {boolean} right @param {string} what */
function demand(right, what) {
  if (!right) throw new Error(what);
}

/** Checks all statements of a file; throws an Error that says what is wrong.
 * @param {Uint8Array} bytes @returns {Promise<Statement[]>} */
export async function check(bytes) {
  const last = bytes.length - 72;
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const sum = last > 0 ? await crypto.subtle.digest("SHA-256", bytes.slice(0, last)) : new ArrayBuffer(0);
  const digest = [...new Uint8Array(sum)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  demand(last > 0 && text.decode(bytes.slice(last)) === `sha256 ${digest}\n`, "the digest does not fit");
  let place = 0;
  const line = () => {
    const end = bytes.indexOf(10, place);
    demand(end >= 0 && end < last && end - place < 65_536, "a line does not end");
    const found = text.decode(bytes.subarray(place, end));
    place = end + 1;
    return found;
  };
  const block = (/** @type {string} */ name, /** @type {number} */ most, /** @type {string} */ head) => {
    const size = new RegExp(`^${name} (0|[1-9]\\d{0,14})$`).exec(head);
    demand(size !== null && Number(size[1]) <= most && place + Number(size?.[1]) <= last, `${name}: no such size`);
    place += Number(size?.[1]);
    return bytes.subarray(place - Number(size?.[1]), place);
  };
  demand(line() === "satcal certificate 3", "not a certificate of format 3");
  /** @type {Statement[]} */
  const statements = [];
  let stated = 0;
  while (place < last) {
    const puzzle = readPuzzle(text.decode(block("puzzle", 1_048_576, line())));
    /** @type {Reveal[]} */
    const reveals = [];
    let head = line();
    for (; head.startsWith("reveal "); head = line()) reveals.push(readReveal(head, puzzle));
    demand(reveals.length > 0 && new Set(reveals.map((each) => JSON.stringify(each.labels))).size === reveals.length, "reveals");
    const nodes = reveals.reduce((all, each) => all + each.nodes, 0);
    stated += nodes;
    demand(stated <= MOST_NODES, "more nodes than are checked here");
    const packed = block("trees", last, head);
    const cut = inflate(packed.slice(0, -1), 2 * nodes).then(() => false, () => true);
    demand(await cut, "the trees end before their bytes"); // browsers may pass over what follows a stream
    walk(puzzle, reveals, await inflate(packed, 2 * nodes));
    statements.push({ puzzle, reveals });
  }
  demand(statements.length > 0, "no statement");
  return statements;
}

/** @param {string} head @param {Board} puzzle @returns {Reveal} */
function readReveal(head, { categories, labels }) {
  const found = /^reveal (?:(".*") )?tilings (0|[1-9]\d{0,1399}) nodes (0|[1-9]\d{0,14}) marks (0|[1-9]\d{0,14})$/.exec(head);
  demand(found !== null, "a reveal's line");
  const [, quoted = "", tilings, nodes, marks] = /** @type {RegExpExecArray} */ (found);
  const names = texts(quoted, " ");
  demand(names.length === categories.length && names.every((name, at) => categories[at].includes(name) && labels.has(name)), "a reveal's labels");
  return { labels: names, tilings: BigInt(tilings), nodes: Number(nodes), marks: Number(marks) };
}

/** Quoted texts, one separator between them. @param {string} quoted @param {string} between */
function texts(quoted, between) {
  const found = [...quoted.matchAll(/"((?:[^"\\]|\\["\\])*)"/g)];
  demand(found.map((each) => each[0]).join(between) === quoted, "quoted texts");
  return found.map((each) => each[1].replaceAll(/\\(["\\])/g, "$1"));
}

/** A raw deflate stream of at most so many bytes. @param {Uint8Array} packed @param {number} most */
async function inflate(packed, most) {
  const reader = new Blob([/** @type {any} */ (packed)]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    demand(size <= most, "more tokens than stated");
    parts.push(part.value);
  }
  const whole = new Uint8Array(size);
  parts.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
  return whole;
}

/** Whether cells, as texts of row and column, hang together by their edges. @param {number[][]} cells */
function touch(cells) {
  const left = new Set(cells.map(String));
  const todo = cells.slice(0, 1);
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const [row, column] = next;
    if (left.delete(String(next))) todo.push([row + 1, column], [row - 1, column], [row, column + 1], [row, column - 1]);
  }
  return left.size === 0;
}

/** Whether a text has so many characters. @param {string | undefined} text @param {number} least @param {number} most */
function long(text, least, most) {
  return text === undefined || ([...text].length >= least && [...text].length <= most);
}

/** The puzzle of a text in the normal form. @param {string} text @returns {Board} */
function readPuzzle(text) {
  const form = /^name = (".*")\ntitle = (".*")\n(?:designer = (".*")\n)?source = (".*")\nboard = """\n([^]*?)\n"""\n\n\[categories\]\n([^]*?)\n\[pieces\]\n([^]+)\n$/.exec(text);
  demand(form !== null && !/[^\P{C}\n]|[^\P{Z} ]/u.test(text), "the puzzle's form");
  const [, ...parts] = /** @type {RegExpExecArray} */ (form);
  const [name, title, designer, source] = parts.slice(0, 4).map((part) => (part === undefined ? part : texts(part, "")[0]));
  demand(long(name, 1, 200) && long(title, 0, 1000) && long(designer, 1, 1000) && long(source, 0, 1000), "the length of a text");
  const [board, listed, drawn] = parts.slice(4);
  demand(/^([^"\\]|\\["\\])+$/.test(board), "the board's quotation marks");
  const lines = board.replaceAll(/\\(["\\])/g, "$1").split("\n");
  const rows = lines.map((line) => line.split(/ +/));
  const wide = Math.max(...rows.flat().map((token) => [...token].length));
  const padded = (/** @type {string} */ token) => token + " ".repeat(wide - [...token].length);
  demand(rows.every((row, at) => row.map(padded).join(" ").replace(/ +$/, "") === lines[at]), "the board's blanks");
  demand(rows.length <= 64 && rows[0].length <= 64 && rows.every((row) => row.length === rows[0].length), "rows of one length");
  demand(rows[rows.length - 1].some((token) => token !== ".") && rows.some((row) => row[row.length - 1] !== "."), "an empty last row or column");
  const cells = rows.flatMap((row, r) => row.flatMap((token, c) => (token === "." ? [] : [r * 64 + c])));
  demand(cells.length > 0 && cells.length <= 1024, "the number of cells");
  const at = new Map(cells.map((cell, number) => [String(cell), number]));
  /** @type {Map<string, number[]>} */
  const labels = new Map();
  cells.forEach((cell, number) => {
    const token = rows[cell >> 6][cell & 63];
    if (token !== "*") labels.set(token, [...(labels.get(token) ?? []), number]);
  });
  for (const [label, numbers] of labels) {
    const where = numbers.map((number) => [cells[number] >> 6, cells[number] & 63]);
    demand(long(label, 1, 32) && !label.includes(",") && touch(where), "a label");
  }
  const kinds = new Set();
  const categories = listed.split("\n").slice(0, -1).map((line) => {
    const found = /^("(?:[^"\\]|\\["\\])+") = \[(".*")\]$/.exec(line);
    demand(found !== null, "a category");
    const [kind] = texts(found?.[1] ?? "", "");
    demand(long(kind, 1, 32) && !["date", "tilings", "methods"].includes(kind) && !kinds.has(kind), "a category's name");
    kinds.add(kind);
    return texts(found?.[2] ?? "", ", ");
  });
  demand([...labels.keys()].sort().join("\n") === categories.flat().sort().join("\n"), "each label is in one category");
  /** @type {Board["pieces"]} */
  const pieces = [];
  const known = new Map(); // a piece that looks like an earlier one is a further copy of it
  const names = drawn.split("\n").map((line) => line.split(" ")[0]);
  demand(new Set(names).size === names.length, "two pieces of one name");
  let area = 0;
  const shapes = drawn.split("\n").map((line) => {
    const found = /^[A-Za-z]\d{0,3} = \{ shape = "((?:[#.]+)(?:\\n[#.]+)*)", copies = ([1-9]\d{0,3}), flip = (true|false) \}$/.exec(line);
    demand(found !== null, "a piece");
    const [, shape, copies, flip] = /** @type {RegExpExecArray} */ (found);
    const drawings = orientations(shape.split("\\n"), flip === "true");
    demand(touch(drawings[0]) && Math.max(...drawings[0].flat()) < 64 && Number(copies) <= 1024, "a piece's size");
    area += drawings[0].length;
    const looks = drawings.map(String).sort().join("|");
    if (known.has(looks)) known.get(looks).copies += Number(copies);
    else {
      known.set(looks, { drawings, copies: Number(copies) });
      pieces.push(known.get(looks));
    }
    return shape;
  });
  demand(area <= 1024, "the squares of all pieces");
  return { cells, at, labels, categories, pieces, rows, shapes };
}

/** As drawn, turned clockwise three times, then the same of the mirror image; each once.
 * @param {string[]} lines @param {boolean} flip @returns {number[][][]} */
function orientations(lines, flip) {
  demand(lines.every((line) => line.length === lines[0].length), "a piece's lines");
  const ends = [lines[0], lines[lines.length - 1], ...[0, lines[0].length - 1].map((at) => lines.map((line) => line[at]).join(""))];
  demand(ends.every((end) => end.includes("#")), "an empty line or column of a piece");
  const turn = (/** @type {string[]} */ shape) => [...shape[0]].map((_, column) => shape.map((row) => row[column]).reverse().join(""));
  const mirror = lines.map((line) => [...line].reverse().join(""));
  const found = new Map();
  for (let shape of flip ? [lines, mirror] : [lines]) {
    for (let turns = 0; turns < 4; turns += 1, shape = turn(shape)) {
      const cells = shape.flatMap((row, r) => [...row].flatMap((square, c) => (square === "#" ? [[r, c]] : [])));
      if (!found.has(cells.join(" "))) found.set(cells.join(" "), cells);
    }
  }
  return [...found.values()];
}

/** Walks the trees of all reveals, which share what is remembered.
 * @param {Board} puzzle @param {Reveal[]} reveals @param {Uint8Array} tokens */
function walk({ cells, at, labels, pieces }, reveals, tokens) {
  const placements = pieces.flatMap(({ drawings }, piece) => drawings.flatMap(
    (shape) => frames(shape, at).map((covered) => ({ piece, covered }))));
  demand(placements.length <= 20_000, "too many placements");
  const singles = pieces.flatMap(({ copies }, piece) => (copies === 1 ? [piece] : []));
  const area = pieces.reduce((sum, { drawings, copies }) => sum + drawings[0].length * copies, 0);
  const remembered = new Map();
  let next = 0;
  const token = () => {
    demand(next < tokens.length, "a tree ends early");
    const low = tokens[next];
    next += 1;
    if (low < 128) return low;
    const high = tokens[next];
    next += 1;
    demand(high >= 1 && high <= 127, "a token");
    return low - 128 + 128 * high;
  };
  for (const { labels: names, tilings, nodes, marks } of reveals) {
    const free = new Uint8Array(cells.length).fill(1);
    for (const name of names) for (const cell of labels.get(name) ?? []) free[cell] = 0;
    const left = pieces.map(({ copies }) => copies);
    let [uncovered, walked, marked] = [free.reduce((sum, each) => sum + each, 0), 0, 0];
    const fits = (/** @type {{piece: number, covered: number[]}} */ { piece, covered }) => left[piece] > 0 && covered.every((cell) => free[cell]);
    const put = (/** @type {{piece: number, covered: number[]}} */ { piece, covered }, /** @type {0 | 1} */ back) => {
      for (const cell of covered) free[cell] = back;
      left[piece] += back ? 1 : -1;
      uncovered += back ? covered.length : -covered.length;
    };
    /** The number of tilings below a state; `open` are the placements that may still fit. 
     * @param {{piece: number, covered: number[]}[]} open @returns {bigint} */
    const below = (open) => {
      if (!uncovered) return 1n;
      const state = `${free} ${left}`;
      const known = remembered.get(state);
      if (known !== undefined) return known;
      const fitting = open.filter(fits);
      const value = token();
      walked += 1;
      const name = free.indexOf(1) + (value >> 1);
      const named = name < cells.length ? (/** @type {{piece: number, covered: number[]}} */ { covered }) => covered.includes(name)
        : (/** @type {{piece: number, covered: number[]}} */ { piece }) => piece === singles[name - cells.length];
      demand(name < cells.length ? free[name] === 1 : left[singles[name - cells.length]] === 1, "a node names what is covered or used");
      let sum = 0n;
      for (const each of fitting.filter(named)) {
        put(each, 0);
        sum += below(fitting);
        put(each, 1);
      }
      if (value & 1) {
        marked += 1;
        remembered.set(state, sum);
      }
      return sum;
    };
    demand((area !== uncovered ? 0n : below(placements)) === tilings, "another number of tilings");
    demand(walked === nodes && marked === marks, "another number of nodes or marks");
  }
  demand(next === tokens.length, "tokens follow the last tree");
}

/** Where a shape can lie, by row and column of its frame: numbers of cells. @param {number[][]} shape @param {Map<string, number>} at */
function frames(shape, at) {
  /** @type {number[][]} */
  const found = [];
  for (let row = 0; row < 64; row += 1) {
    for (let column = 0; column < 64; column += 1) {
      const covered = shape.map(([r, c]) => (c + column < 64 ? at.get(String((r + row) * 64 + c + column)) : undefined));
      if (covered.every((cell) => cell !== undefined)) found.push(/** @type {number[]} */ (covered));
    }
  }
  return found;
}

/** Whether a statement is about the board and the pieces that are played.
 * @param {Board} board @param {import("./types.js").Puzzle} puzzle */
export function sameBoard({ cells, rows, pieces }, puzzle) {
  const label = (/** @type {string} */ token) => (token === "*" ? null : token);
  const board = cells.map((cell) => [cell >> 6, cell & 63, label(rows[cell >> 6][cell & 63])]);
  const pile = (/** @type {{shapes: number[][][], copies: number}[]} */ each) => each.map(
    ({ shapes, copies }) => `${shapes.map(String).sort().join("|")} x ${copies}`).sort().join("; ");
  return JSON.stringify(board) === JSON.stringify(puzzle.cells.map((cell) => [cell.row, cell.column, cell.label]))
    && pile(pieces.map(({ drawings, copies }) => ({ shapes: drawings, copies })))
      === pile(puzzle.pieces.map(({ orientations: shapes, copies }) => ({ shapes, copies })));
}
