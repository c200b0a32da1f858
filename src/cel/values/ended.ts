/** Ends a whole evaluation: unlike a failure nothing absorbs it. */
export class EvaluationEnded extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'EvaluationEnded';
  }
}

export const costExceeded = 'operation cancelled: actual cost limit exceeded';

/** Where the real one panics. */
export function internalError(what: string): EvaluationEnded {
  return new EvaluationEnded(`internal error: ${what}`);
}

/** Bytes are no keys. */
export function unhashable(): EvaluationEnded {
  return internalError('runtime error: hash of unhashable type types.Bytes');
}
