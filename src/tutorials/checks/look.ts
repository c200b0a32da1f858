import { type CheckStanding, createChecker } from './check-step.ts';
import { createCheckLanguage, type StepFacts } from './expressions.ts';
import { type AnswererOptions, createAnswerer } from './questions.ts';

export interface Looked {
  /** In the order of the checks. */
  readonly standings: readonly CheckStanding[];
  /** The collections that were asked for: a change in them may change an answer. */
  readonly asked: readonly string[];
}

/** Finds out how checks stand, one after the other. */
export async function lookAt(cels: readonly string[], facts: StepFacts, options: AnswererOptions): Promise<Looked> {
  const answerer = createAnswerer(options);
  const language = createCheckLanguage();
  const standings: CheckStanding[] = [];
  for (const cel of cels) standings.push(await createChecker(cel, language)(facts, answerer));
  return { standings, asked: answerer.takeAsked() };
}
