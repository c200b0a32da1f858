/**
 * Breaks lines between words so that they have at most `limit` characters where possible. Line breaks and spaces of the text are
 * preserved. Cf. WrapString of github.com/mitchellh/go-wordwrap.
 */
export function wrapWords(text: string, limit: number): string {
  const wrapper = new WordWrapper(limit);
  for (const char of text) wrapper.add(char);
  return wrapper.end();
}

class WordWrapper {
  readonly #limit: number;
  #output = '';
  /** Characters of the current line that are in the output. */
  #width = 0;
  #word: string[] = [];
  #spaces: string[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(char: string): void {
    if (char === '\n') this.#endLine();
    else if (/\s/.test(char) && char !== '\u00a0') this.#addSpace(char);
    else this.#addLetter(char);
  }

  end(): string {
    if (this.#word.length > 0 || this.#width + this.#spaces.length <= this.#limit) this.#flush();
    return this.#output;
  }

  #addLetter(char: string): void {
    this.#word.push(char);
    const length = this.#word.length;
    if (this.#width + length + this.#spaces.length <= this.#limit || length >= this.#limit) return;
    this.#output += '\n';
    this.#width = 0;
    this.#spaces = [];
  }

  #addSpace(char: string): void {
    if (this.#spaces.length === 0 || this.#word.length > 0) this.#flush();
    this.#spaces.push(char);
  }

  #endLine(): void {
    if (this.#word.length === 0 && this.#width + this.#spaces.length > this.#limit) this.#spaces = [];
    this.#flush();
    this.#output += '\n';
    this.#width = 0;
  }

  #flush(): void {
    this.#width += this.#spaces.length + this.#word.length;
    this.#output += this.#spaces.join('') + this.#word.join('');
    this.#spaces = [];
    this.#word = [];
  }
}
