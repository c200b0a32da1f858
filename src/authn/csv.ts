/** Invalid CSV; the message is Go's. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
}

const bareQuote = 'bare " in non-quoted-field';
const wrongQuote = 'extraneous or missing " in quoted-field';

/** Parses CSV like Go's reader: nothing is trimmed, empty lines are skipped. @throws CsvError */
export function readCsv(text: string): readonly (readonly string[])[] {
  const records: (readonly string[])[] = [];
  const reader = new CsvReader(text.replaceAll('\r\n', '\n'));
  for (let record = reader.next(); record; record = reader.next()) records.push(record);
  return records;
}

class CsvReader {
  readonly #text: string;
  #at = 0;
  #line = 1;
  #lineStart = 0;

  constructor(text: string) {
    this.#text = text;
  }

  next(): readonly string[] | undefined {
    while (this.#text[this.#at] === '\n') this.#startLine();
    if (this.#at >= this.#text.length) return undefined;
    const startLine = this.#line;
    const record = [this.#readField(startLine)];
    while (this.#text[this.#at] === ',') {
      this.#at++;
      record.push(this.#readField(startLine));
    }
    if (this.#at < this.#text.length) this.#startLine();
    return record;
  }

  #startLine(): void {
    this.#at++;
    this.#line++;
    this.#lineStart = this.#at;
  }

  #readField(startLine: number): string {
    if (this.#text[this.#at] === '"') return this.#readQuoted(startLine);
    const [field = ''] = /^[^,\n]*/.exec(this.#text.slice(this.#at)) ?? [];
    const quote = field.indexOf('"');
    if (quote >= 0) throw this.#error(startLine, this.#at + quote, bareQuote);
    this.#at += field.length;
    return field;
  }

  #readQuoted(startLine: number): string {
    let value = '';
    this.#at++;
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined) throw this.#unterminatedError(startLine);
      if (character !== '"') {
        value += character;
        if (character === '\n') this.#startLine();
        else this.#at++;
        continue;
      }
      const after = this.#text[this.#at + 1];
      if (after !== '"' && after !== ',' && after !== '\n' && after !== undefined) throw this.#error(startLine, this.#at, wrongQuote);
      this.#at += after === '"' ? 2 : 1;
      if (after !== '"') return value;
      value += '"';
    }
  }

  /** Go reports its read position: the end of the last line, including the line feed. */
  #unterminatedError(startLine: number): CsvError {
    const isAfterLine = this.#at === this.#lineStart && this.#line > startLine;
    if (isAfterLine) {
      this.#line--;
      this.#lineStart = this.#text.lastIndexOf('\n', this.#at - 2) + 1;
    }
    return this.#error(startLine, this.#at, wrongQuote);
  }

  #error(startLine: number, at: number, what: string): CsvError {
    const column = new TextEncoder().encode(this.#text.slice(this.#lineStart, at)).length + 1;
    const where = `parse error on line ${this.#line}, column ${column}: ${what}`;
    return new CsvError(startLine === this.#line ? where : `record on line ${startLine}; ${where}`);
  }
}
