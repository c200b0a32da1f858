/** Ends the whole evaluation; unlike a failure it cannot be absorbed. */
export class EvaluationEnded extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'EvaluationEnded';
  }
}

export const costExceeded = 'operation cancelled: actual cost limit exceeded';

/** Creating a text costs a tenth of its length, so a longer one exceeds every cost limit (`perCallLimit`). */
const maxTextLength = 10_000_000;

/** Checks a length before the text is created. @throws EvaluationEnded */
export function requireLength(length: number): void {
  if (length > maxTextLength) throw new EvaluationEnded(costExceeded);
}

/** Stands for a panic in upstream's code. */
export function internalError(what: string): EvaluationEnded {
  return new EvaluationEnded(`internal error: ${what}`);
}

/** Bytes cannot be keys. */
export function unhashable(): EvaluationEnded {
  return internalError('runtime error: hash of unhashable type types.Bytes');
}
