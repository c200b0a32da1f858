/** A mistake in a lesson: reported to the author, ignored when the lesson runs. */
export interface Problem {
  readonly line: number;
  readonly message: string;
}
