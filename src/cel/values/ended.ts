/** Ends a whole evaluation: unlike a failure nothing absorbs it. */
export class EvaluationEnded extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'EvaluationEnded';
  }
}

export const costExceeded = 'operation cancelled: actual cost limit exceeded';

/** Making a text costs a tenth of its length, so a longer one is beyond every limit of an evaluation (`perCallLimit`). */
const maxTextLength = 10_000_000;

/** Before a text of that length is made. @throws EvaluationEnded */
export function requireLength(length: number): void {
  if (length > maxTextLength) throw new EvaluationEnded(costExceeded);
}

/** Where the real one panics. */
export function internalError(what: string): EvaluationEnded {
  return new EvaluationEnded(`internal error: ${what}`);
}

/** Bytes are no keys. */
export function unhashable(): EvaluationEnded {
  return internalError('runtime error: hash of unhashable type types.Bytes');
}
