import type { AccessAnswer, AccessQuestion, Ask } from './functions/authorization.ts';

/** Ends an evaluation that cannot go on before this is answered. */
class Unanswered extends Error {
  readonly question: AccessQuestion;

  constructor(question: AccessQuestion) {
    super('a question is not answered yet');
    this.name = 'Unanswered';
    this.question = question;
  }
}

/**
 * Evaluates expressions that ask an authorizer which takes its time: what is asked is found out, then it is evaluated again. Costs are
 * those of the last time, which is the only one that came through.
 */
export async function evaluateAsking<T>(
  evaluate: (ask: Ask) => T,
  authorize: (question: AccessQuestion) => Promise<AccessAnswer>,
): Promise<T> {
  const answers = new Map<string, AccessAnswer>();
  const ask: Ask = (question) => {
    const answer = answers.get(JSON.stringify(question));
    if (!answer) throw new Unanswered(question);
    return answer;
  };
  for (;;) {
    try {
      return evaluate(ask);
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      answers.set(JSON.stringify(error.question), await authorize(error.question));
    }
  }
}
