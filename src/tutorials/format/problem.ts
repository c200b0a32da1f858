/** Something that is wrong with a lesson: an error for its author, passed over when it is run. */
export interface Problem {
  readonly line: number;
  readonly message: string;
}
