// Types of what views may ask and do; for tsc only.

/** @import { BoardView } from "./board-view.js" @import { Game } from "./game.js" @import { announce, showStatus } from "./announcer.js" */
/** @import { Counter, Library, Puzzle } from "./types.js" @import { Drawing } from "./drawing.js" @import { Definition } from "./puzzle-definition.js" */
/** @import { Drawing as Known } from "./own-boards.js" */
/** @typedef {{name: string, puzzle: Puzzle, counter: Counter, dateParam: string, date: string | null, openedOn: string,
 *   reveal: string[], address: string, heading: string, game: Game, total: bigint | null}} Session
 * what is played: `dateParam` as the address has it, `openedOn` the day on which it was opened, `total` solutions of the reveal
 * @typedef {{current: () => Session, library: () => Library, table: BoardView, showStatus: typeof showStatus,
 *   announce: typeof announce, navigate: (when: string, name?: string) => void, recount: () => Promise<void>,
 *   focusDate: (then?: () => void) => void, countFound: () => number, recordHint: (isPlacement: boolean) => void,
 *   runTool: (tool: string) => void}} Page
 */

/** A board that is being made: what is drawn, and its definition once it is whole.
 * @typedef {Pick<Known, "colours" | "polyominoes"> & {page: Page, drawing: Drawing, definition: Definition | null,
 *   change: (next: Drawing, render?: boolean) => void, mark: (cells: {row: number, column: number}[]) => void}} Editor */

export {};
