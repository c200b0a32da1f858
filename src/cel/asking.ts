/** Ends an evaluation that cannot go on before this is answered. */
class Unanswered<Question> extends Error {
  readonly question: Question;

  constructor(question: Question) {
    super('a question is not answered yet');
    this.name = 'Unanswered';
    this.question = question;
  }
}

/**
 * Evaluates expressions that ask somebody who takes their time (an authorizer, a server): what is asked is found out, then it is
 * evaluated again. Costs are those of the last time, which is the only one that came through.
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
