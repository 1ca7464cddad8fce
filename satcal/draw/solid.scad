// $title: board, pieces and labels in millimetres, written by satcal
part = "all"; // or "board", "pieces", "labels": what fills the engraving
cell = $cell;
play = $play; // between two pieces; half of it between a piece and the wall
thick = $thick; // a piece
base = $base; // the floor below the pieces
wall = $wall; // above the floor
margin = $margin; // of the wall beside the outermost cells
depth = $depth; // of the engraving
groove = $groove; // the lines of the engraving
letters = $letters * cell; // a capital's height
font = "DejaVu Sans";
rows = $rows;
columns = $columns;

// Label and cells of each region. A cell is [row, column].
regions = $regions;

// Name, place and cells of each piece.
pieces = $pieces;

module place(at) translate([at[1], -at[0]] * cell) children();
module squares(cells) for (at = cells) place(at) translate([0, -cell]) square(cell);
module inside(cells, distance) offset(delta = -distance) squares(cells);

module engraving() {
  difference() {
    inside([for (region = regions) each region[1]], groove);
    for (region = regions) inside(region[1], groove / 2);
  }
  for (region = regions) place(region[1][0] + [0.5, 0.5])
    text(region[0], letters, font, halign = "center", valign = "center");
}

module board() difference() {
  translate([-margin, -rows * cell - margin])
    cube([columns * cell + 2 * margin, rows * cell + 2 * margin, base + wall]);
  translate([0, 0, base]) linear_extrude(base + wall)
    squares([for (region = regions) each region[1]]);
  translate([0, 0, base - depth]) linear_extrude(base + wall) engraving();
}

if (part == "all" || part == "board") board();
if (part == "all" || part == "pieces")
  for (piece = pieces) place(piece[1]) linear_extrude(thick) inside(piece[2], play / 2);
if (part == "labels") translate([0, 0, base - depth]) linear_extrude(depth) engraving();
