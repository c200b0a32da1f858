import type { Redirection, Word } from './ast.ts';
import { literalText, type WordReader } from './word-reader.ts';

interface PendingDocument {
  readonly end: string;
  readonly stripTabs: boolean;
  readonly quoted: boolean;
  readonly fill: (body: Word) => void;
}

/** `cat <<EOF`: reads the bodies after the line that announces them. */
export class HereDocuments {
  readonly #reader: WordReader;
  readonly #parseExpanded: (body: string) => Word;
  #pending: PendingDocument[] = [];
  #isUnterminated = false;

  /** `parseExpanded` parses a body with expansions. */
  constructor(reader: WordReader, parseExpanded: (body: string) => Word) {
    this.#reader = reader;
    this.#parseExpanded = parseExpanded;
  }

  /** True when a body or its end is missing. */
  get isIncomplete(): boolean {
    return this.#isUnterminated || this.#pending.length > 0;
  }

  /** Reads the delimiter and returns a redirection whose body is filled in at the end of the line. */
  readDelimiter(stripTabs: boolean): Redirection {
    const end = this.#reader.readWord();
    const quoted = end.some((part) => part.type === 'text' && part.quoted);
    const redirection: { type: 'text'; word: Word } = { type: 'text', word: [] };
    const fill = (body: Word): void => {
      redirection.word = body;
    };
    this.#pending.push({ end: literalText(end), stripTabs, quoted, fill });
    return redirection;
  }

  /** Skips the line's end and reads the bodies announced on it. */
  endLine(): void {
    this.#reader.at++;
    for (const document of this.#pending.splice(0)) this.#read(document);
  }

  #read({ end, stripTabs, quoted, fill }: PendingDocument): void {
    const { text } = this.#reader;
    let body = '';
    for (;;) {
      if (this.#reader.ended) {
        this.#isUnterminated = true;
        break;
      }
      const stop = text.indexOf('\n', this.#reader.at);
      const raw = text.slice(this.#reader.at, stop < 0 ? undefined : stop);
      this.#reader.at = stop < 0 ? text.length : stop + 1;
      const line = stripTabs ? raw.replace(/^\t+/, '') : raw;
      if (line === end) break;
      body += `${line}\n`;
    }
    fill(quoted ? [{ type: 'text', text: body, quoted: true }] : this.#parseExpanded(body));
  }
}
