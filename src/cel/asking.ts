/** Aborts an evaluation that needs the answer to this question. */
class Unanswered<Question> extends Error {
  readonly question: Question;

  constructor(question: Question) {
    super('a question is not answered yet');
    this.name = 'Unanswered';
    this.question = question;
  }
}

/**
 * Evaluates expressions with asynchronous lookups, for example authorizer checks: on a missing answer the evaluation stops, waits for
 * it, and starts again. The cost is that of the last, complete evaluation.
 */
export async function evaluateAsking<Question, Answer, T>(
  evaluate: (ask: (question: Question) => Answer) => T | Promise<T>,
  answer: (question: Question) => Promise<Answer>,
): Promise<T> {
  const answers = new Map<string, { readonly answer: Answer }>();
  const ask = (question: Question): Answer => {
    const known = answers.get(JSON.stringify(question));
    if (!known) throw new Unanswered(question);
    return known.answer;
  };
  for (;;) {
    try {
      return await evaluate(ask);
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      answers.set(JSON.stringify(error.question), { answer: await answer(error.question as Question) });
    }
  }
}
