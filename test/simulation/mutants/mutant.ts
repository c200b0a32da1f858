/** A small fault in a copy of one file: a rule of the simulation must detect it. */
export interface Mutant {
  readonly name: string;
  /** Below the root of the repository. */
  readonly file: string;
  /** The exact source text, which occurs once in the file. */
  readonly search: string;
  readonly replacement: string;
  /** The guarantee that it breaks. */
  readonly why: string;
}
