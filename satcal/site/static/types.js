// Types that modules share; for tsc only.

/**
 * A cell of a board is a number: its index in `Puzzle.cells`, which are in row-major order.
 *
 * @typedef {{row: number, column: number, label: string | null}} Cell
 * @typedef {{
 *   name: string, copies: number, colour: string, tint: string,  // the name of its colour, without shades
 *   orientations: [number, number][][],  // distinct ones, each as [row, column] from its top left
 * }} Piece                               // corner, row by row; the drawing first
 * @typedef {{
 *   name: string, digest: string, title: string, designer: string, source: string, rows: number, columns: number,
 *   cells: Cell[],
 *   labels: Record<string, number[]>,               // label -> its cells
 *   categories: {name: string, labels: string[]}[], // a reveal has one label of each, in this order
 *   calendar: Record<string, string[]> | null,      // "month", "day", "weekday" (if the board has
 *   pieces: Piece[],                                // them) -> labels, January and Monday first,
 *   order: number[],                                // "" where the board has none; the cells in
 *   difficulty: string,                             // the order of filling; runs of E, F, G and H,
 * }} Puzzle                                         // such as 2E1F; "" for a board that is not satcal's
 *
 * @typedef {{piece: string, cells: number[]}} Placement
 * @typedef {Placement & {count: bigint}} Move       // and the tilings that contain it
 * @typedef {{
 *   reveal: string[],                // one label per category, in their order
 *   placed: Placement[],             // in order of placing
 *   want?: "hint" | "tilings" | "rank",       // or only the count
 *   from?: number | bigint, limit?: number,   // for "tilings": the rank of the first, and how many
 *   whole?: Placement[],                      // for "rank": a tiling
 * }} Question
 * @typedef {{
 *   count: bigint,                   // tilings that remain
 *   hint?: Move | null,              // "hint": of the placements that cover the free cell which the
 *   cell?: number,                   //   fewest cover the one of most tilings; that cell
 *   tilings?: Placement[][],         // "tilings": whole, in the diagram's order
 *   rank?: bigint,                   // "rank": from 0
 *   blame?: {pieces: Placement[], count: bigint}[],   // when count is 0: what to take back, best first:
 * }} Answer                          // each is enough and leaves so many tilings
 *
 * @typedef {{
 *   ask(question: Question): Promise<Answer>,
 *   year(placed: Placement[]): Promise<Map<string, bigint>>,
 *   close(): void,
 * }} Counter */

/** What `satcal site` or `satcal serve` offers.
 * @typedef {{
 *   served: boolean,          // by `satcal serve`, whose API does what a browser cannot
 *   jobs: boolean,            // the page may start jobs
 *   version: string, first: string,             // the puzzle that is shown first
 *   heat: string[],                             // colours from few tilings to many
 *   puzzles: {name: string, title: string, dates: boolean, rated: Pick<Puzzle, "categories" | "calendar" | "difficulty"> | null, digest: string}[],  // the first 16 digits
 * }} Library */

export {};
