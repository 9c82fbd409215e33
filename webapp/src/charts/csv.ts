/** Numbers of a chart as a file for spreadsheets (RFC 4180). */
export type CsvCell = string | number;

export interface ChartTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly CsvCell[])[];
}

/** A text that a spreadsheet would run as a formula is led by an apostrophe. */
function csvField(cell: CsvCell): string {
  if (typeof cell === 'number') return String(cell);
  const text = /^[=+\-@\t\r]/u.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** With a byte order mark: spreadsheets take the file for UTF-8. */
export function toCsv({ columns, rows }: ChartTable): string {
  return `\uFEFF${[columns, ...rows].map((row) => row.map(csvField).join(',')).join('\r\n')}\r\n`;
}
