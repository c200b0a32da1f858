/** A small fault, planted in a copy of one file: a rule of the simulation must notice it. */
export interface Mutant {
  readonly name: string;
  /** Below the root of the repository. */
  readonly file: string;
  /** Exactly as it stands in the file, once. */
  readonly search: string;
  readonly replacement: string;
  /** Which promise it breaks. */
  readonly why: string;
}
