/** Rows of bytes become columns: byte `c` of row `r` comes to byte `r` of row `c`. What is past the rows stays there. */
export function transposed(from: Uint8Array, rows: number, columns: number, to: Uint8Array): Uint8Array {
  const input = new DataView(from.buffer, from.byteOffset, from.byteLength);
  const output = new DataView(to.buffer, to.byteOffset, to.byteLength);
  const [short, long] = rows < columns ? [rows, columns] : [columns, rows];
  if (short < 4) transposeFew(input, rows, columns, output);
  else {
    // Bands of four along the longer side. The last band, and the last block of each, overlaps the one before where
    // there are no four left: what both move comes to the same place.
    const [inputAlong, inputAcross] = long === columns ? [1, columns] : [columns, 1];
    const [outputAlong, outputAcross] = long === columns ? [rows, 1] : [1, rows];
    for (let band = 0; band < short; band += 4) {
      const first = Math.min(band, short - 4);
      const [i, o] = [first * inputAcross, first * outputAcross];
      const last = long - 4;
      transposeBand(input, i, columns, 4 * inputAlong, output, o, rows, 4 * outputAlong, long >>> 2);
      transposeBand(input, i + last * inputAlong, columns, 0, output, o + last * outputAlong, rows, 0, 1);
    }
  }
  to.set(from.subarray(rows * columns), rows * columns);
  return to;
}

// Through a DataView, since its words need no alignment and have an order of their own; engines make plain loads and
// stores of it. Words held in registers are several times as fast as single bytes.

/** Transposes blocks of 4 × 4 bytes, of `columns` and `rows` bytes from one row to the next. */
function transposeBand(
  input: DataView,
  from: number,
  columns: number,
  inputStep: number,
  output: DataView,
  to: number,
  rows: number,
  outputStep: number,
  blocks: number,
): void {
  for (let block = 0, i = from, o = to; block < blocks; block++, i += inputStep, o += outputStep) {
    const a = input.getInt32(i, true);
    const b = input.getInt32(i + columns, true);
    const c = input.getInt32(i + 2 * columns, true);
    const d = input.getInt32(i + 3 * columns, true);
    const evenLow = (a & 0x00ff00ff) | ((b & 0x00ff00ff) << 8);
    const oddLow = ((a >>> 8) & 0x00ff00ff) | (b & 0xff00ff00);
    const evenHigh = (c & 0x00ff00ff) | ((d & 0x00ff00ff) << 8);
    const oddHigh = ((c >>> 8) & 0x00ff00ff) | (d & 0xff00ff00);
    output.setInt32(o, (evenLow & 0xffff) | (evenHigh << 16), true);
    output.setInt32(o + rows, (oddLow & 0xffff) | (oddHigh << 16), true);
    output.setInt32(o + 2 * rows, (evenLow >>> 16) | (evenHigh & 0xffff0000), true);
    output.setInt32(o + 3 * rows, (oddLow >>> 16) | (oddHigh & 0xffff0000), true);
  }
}

/** Fewer than four rows or columns: two by words as far as they go, the rest byte by byte. */
function transposeFew(input: DataView, rows: number, columns: number, output: DataView): void {
  const done = rows === 2 ? zip(input, columns, output) : columns === 2 ? unzip(input, rows, output) : 0;
  const [firstRow, firstColumn] = rows === 2 ? [0, done] : [done, 0];
  for (let row = firstRow; row < rows; row++) {
    for (let column = firstColumn; column < columns; column++) {
      output.setUint8(column * rows + row, input.getUint8(row * columns + column));
    }
  }
}

/** Two rows of `columns` bytes to pairs, and gives how many: a multiple of four. */
function zip(input: DataView, columns: number, output: DataView): number {
  const whole = columns - (columns % 4);
  for (let i = 0; i < whole; i += 4) {
    const low = input.getInt32(i, true);
    const high = input.getInt32(columns + i, true);
    const even = (low & 0x00ff00ff) | ((high & 0x00ff00ff) << 8);
    const odd = ((low >>> 8) & 0x00ff00ff) | (high & 0xff00ff00);
    output.setInt32(2 * i, (even & 0xffff) | (odd << 16), true);
    output.setInt32(2 * i + 4, (even >>> 16) | (odd & 0xffff0000), true);
  }
  return whole;
}

/** `rows` pairs to two rows, and gives how many: a multiple of four. */
function unzip(input: DataView, rows: number, output: DataView): number {
  const whole = rows - (rows % 4);
  for (let i = 0; i < whole; i += 4) {
    const first = input.getInt32(2 * i, true);
    const second = input.getInt32(2 * i + 4, true);
    const even = (first & 0xffff) | (second << 16);
    const odd = (first >>> 16) | (second & 0xffff0000);
    output.setInt32(i, (even & 0x00ff00ff) | ((odd & 0x00ff00ff) << 8), true);
    output.setInt32(rows + i, ((even >>> 8) & 0x00ff00ff) | (odd & 0xff00ff00), true);
  }
  return whole;
}
