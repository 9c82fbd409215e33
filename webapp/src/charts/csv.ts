/** Exports the numbers of a chart for spreadsheets (RFC 4180). */
export type CsvCell = string | number;

export interface ChartTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly CsvCell[])[];
}

/** A text that a spreadsheet would execute as a formula gets a leading apostrophe. */
function csvField(cell: CsvCell): string {
  if (typeof cell === 'number') return String(cell);
  const text = /^[=+\-@\t\r]/u.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Starts with a byte order mark, so that spreadsheets detect UTF-8. */
export function toCsv({ columns, rows }: ChartTable): string {
  return `\uFEFF${[columns, ...rows].map((row) => row.map(csvField).join(',')).join('\r\n')}\r\n`;
}
