/** Maximum length of pieces that are collected by code. */
const maxGathered = 16;
const codesAtOnce = 1_000;

/** Builds text from many small pieces; string concatenation would create a chain of as many strings. */
export class TextBuilder {
  #text = '';
  #codes: number[] = [];

  add(piece: string): void {
    if (piece.length > maxGathered || (this.#codes.length === 0 && this.#text === '')) {
      this.#flush();
      this.#text += piece;
      return;
    }
    for (let at = 0; at < piece.length; at++) this.#codes.push(piece.charCodeAt(at));
    if (this.#codes.length >= codesAtOnce) this.#flush();
  }

  finish(): string {
    this.#flush();
    return this.#text;
  }

  #flush(): void {
    if (this.#codes.length === 0) return;
    this.#text += String.fromCharCode(...this.#codes);
    this.#codes = [];
  }
}
