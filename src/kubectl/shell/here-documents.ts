import type { Redirection, Word } from './ast.ts';
import { literal, type WordReader } from './reader.ts';

interface Announced {
  readonly end: string;
  readonly stripTabs: boolean;
  readonly quoted: boolean;
  readonly fill: (body: Word) => void;
}

/** `cat <<EOF`: the bodies come when the line that announces them has ended. */
export class HereDocuments {
  readonly #reader: WordReader;
  readonly #expanded: (body: string) => Word;
  #announced: Announced[] = [];
  #unended = false;

  /** `expanded` reads a body in which things are expanded. */
  constructor(reader: WordReader, expanded: (body: string) => Word) {
    this.#reader = reader;
    this.#expanded = expanded;
  }

  /** One was announced and its body has not come, or not its end. */
  get areOpen(): boolean {
    return this.#unended || this.#announced.length > 0;
  }

  /** At the word that will end it. */
  announce(stripTabs: boolean): Redirection {
    const end = this.#reader.readWord();
    const quoted = end.some((part) => part.type === 'text' && part.quoted);
    const redirection: { type: 'text'; word: Word } = { type: 'text', word: [] };
    const fill = (body: Word): void => {
      redirection.word = body;
    };
    this.#announced.push({ end: literal(end), stripTabs, quoted, fill });
    return redirection;
  }

  /** Past the line's end, taking the bodies of those announced on it. */
  endLine(): void {
    this.#reader.at++;
    for (const document of this.#announced.splice(0)) this.#read(document);
  }

  #read({ end, stripTabs, quoted, fill }: Announced): void {
    const { text } = this.#reader;
    let body = '';
    for (;;) {
      if (this.#reader.ended) {
        this.#unended = true;
        break;
      }
      const stop = text.indexOf('\n', this.#reader.at);
      const raw = text.slice(this.#reader.at, stop < 0 ? undefined : stop);
      this.#reader.at = stop < 0 ? text.length : stop + 1;
      const line = stripTabs ? raw.replace(/^\t+/, '') : raw;
      if (line === end) break;
      body += `${line}\n`;
    }
    fill(quoted ? [{ type: 'text', text: body, quoted: true }] : this.#expanded(body));
  }
}
