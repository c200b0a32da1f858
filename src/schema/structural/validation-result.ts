import {
  type FieldError,
  invalid,
  type Json,
  maxErrorTextLength,
  notListed,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from '../../meta/index.ts';

/** A problem of a value, with its path (`spec.list[0]`, empty for the whole value). */
export interface Problem {
  /** Undefined for problems of the whole value, without a path. */
  readonly at: string | undefined;
  /** kube-openapi's message; problems with the same message are equal. */
  readonly text: string;
  readonly error: (field: string) => FieldError;
}

/** Problems and the number of matches: of several alternatives the closest one is reported. Cf. kube-openapi validate.Result. */
export interface ValidationResult {
  readonly problems: readonly Problem[];
  readonly matches: number;
}

const noProblems: readonly Problem[] = [];

export const emptyResult: ValidationResult = { problems: noProblems, matches: 0 };
export const singleMatch: ValidationResult = { problems: noProblems, matches: 1 };

/** Limit on the total text of problems, in characters; a response lists fewer (`invalidObject`). */
const maxProblemText = 1.5 * maxErrorTextLength;

/** Accumulates findings. Combined schemas may repeat messages: see `distinctProblems`. */
export class ResultAccumulator implements ValidationResult {
  matches: number;
  problems: readonly Problem[] = noProblems;
  /** A private copy of `problems`, unless the list is shared with added findings. */
  #own: Problem[] | undefined;
  #textLength = 0;

  constructor(matches: number) {
    this.matches = matches;
  }

  /** Whether the limit is reached. */
  get isFull(): boolean {
    return this.#textLength > maxProblemText;
  }

  add({ problems, matches }: ValidationResult): void {
    this.matches += matches;
    if (problems.length === 0) return;
    if (this.problems.length === 0) {
      this.problems = problems;
      return;
    }
    if (!this.#own) {
      for (const { text } of this.problems) this.#textLength += text.length;
      this.#own = [...this.problems];
      this.problems = this.#own;
    }
    for (const problem of problems) {
      if (this.isFull) return;
      this.#own.push(problem);
      this.#textLength += problem.text.length;
    }
  }
}

/** Drops repeated messages; the first one stays. */
export function deduplicateProblems(problems: readonly Problem[]): readonly Problem[] {
  const byText = new Map<string, Problem>();
  for (const problem of problems) if (!byText.has(problem.text)) byText.set(problem.text, problem);
  return [...byText.values()];
}

/** Adds up findings. */
export function sumResults(all: readonly ValidationResult[], furtherMatches = 0): ValidationResult {
  const sum = new ResultAccumulator(furtherMatches);
  for (const findings of all) sum.add(findings);
  return sum;
}

export function resultOf(problem: Problem): ValidationResult {
  return { problems: [problem], matches: 0 };
}

export function plainProblem(at: string, value: Json, words: string): Problem {
  const text = `${at} in body ${words}`;
  return { at, text, error: (field) => invalid(field, value, text) };
}

/** `actual` is the type found, or the text that does not match the format. */
export function typeProblem(at: string, type: string, actual: string): Problem {
  const text = `${at} in body must be of type ${type}: ${JSON.stringify(actual)}`;
  return { at, text, error: (field) => typeInvalid(field, actual, text) };
}

export function requiredProblem(at: string): Problem {
  return { at, text: `${at} in body is required`, error: (field) => required(field, '') };
}

export function enumProblem(at: string, value: Json, values: readonly string[], list: string): Problem {
  return { at, text: `${at} in body should be one of [${list}]`, error: (field) => notListed(field, value, values) };
}

export function tooLongProblem(at: string, max: number): Problem {
  return { at, text: `${at} in body should be at most ${max} chars long`, error: (field) => tooLong(field, max) };
}

export function tooManyProblem(at: string, actual: number, max: number, what: 'items' | 'properties'): Problem {
  return { at, text: `${at} in body should have at most ${max} ${what}`, error: (field) => tooMany(field, actual, max) };
}

/** A failed combination of schemas: `"spec" must validate one and only one schema (oneOf). Found none valid`. */
export function combinedProblem(path: string, message: string): Problem {
  const text = `${JSON.stringify(path)} ${message}`;
  return { at: undefined, text, error: (field) => invalid(field, '', text) };
}
