/** Aborts an evaluation that needs the answer to this query. */
class PendingLookup<Query> extends Error {
  readonly query: Query;

  constructor(query: Query) {
    super('a question is not answered yet');
    this.name = 'PendingLookup';
    this.query = query;
  }
}

/**
 * Evaluates expressions with asynchronous lookups, for example authorizer checks: on a missing answer the evaluation stops, waits for
 * it, and starts again. The cost is that of the last, complete evaluation.
 */
export async function evaluateWithLookups<Query, Answer, T>(
  evaluate: (lookup: (query: Query) => Answer) => T | Promise<T>,
  answer: (query: Query) => Promise<Answer>,
): Promise<T> {
  const answers = new Map<string, { readonly answer: Answer }>();
  const lookup = (query: Query): Answer => {
    const known = answers.get(JSON.stringify(query));
    if (!known) throw new PendingLookup(query);
    return known.answer;
  };
  for (;;) {
    try {
      return await evaluate(lookup);
    } catch (error) {
      if (!(error instanceof PendingLookup)) throw error;
      answers.set(JSON.stringify(error.query), { answer: await answer(error.query as Query) });
    }
  }
}
