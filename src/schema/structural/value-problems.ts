import {
  type FieldError,
  invalid,
  type Json,
  notListed,
  required,
  stringifyJson,
  tooLong,
  tooMany,
  typeInvalid,
} from '../../meta/index.ts';

/** One thing that is wrong with a value, told of where it stands (`spec.list[0]`, empty for the whole). */
export interface Problem {
  /** Undefined for what is told of the whole value, wherever it stands. */
  readonly at: string | undefined;
  /** In kube-openapi's words; two problems of the same words are one. */
  readonly text: string;
  readonly error: (field: string) => FieldError;
}

/** Problems, and how much was right: of several alternatives the best failure is told. Cf. kube-openapi validate.Result. */
export interface Findings {
  readonly problems: readonly Problem[];
  readonly matches: number;
}

export const nothingFound: Findings = { problems: [], matches: 0 };

/** All findings together; the same words count once. */
export function together(all: readonly Findings[], furtherMatches = 0): Findings {
  const problems = new Map<string, Problem>();
  let matches = furtherMatches;
  for (const findings of all) {
    matches += findings.matches;
    for (const problem of findings.problems) if (!problems.has(problem.text)) problems.set(problem.text, problem);
  }
  return { problems: [...problems.values()], matches };
}

export function found(problem: Problem): Findings {
  return { problems: [problem], matches: 0 };
}

export function plainProblem(at: string, value: Json, words: string): Problem {
  const text = `${at} in body ${words}`;
  return { at, text, error: (field) => invalid(field, value, text) };
}

/** `actual` is the type found, or the text that is not of the format. */
export function typeProblem(at: string, type: string, actual: string): Problem {
  const text = `${at} in body must be of type ${type}: ${JSON.stringify(actual)}`;
  return { at, text, error: (field) => typeInvalid(field, actual, text) };
}

export function requiredProblem(at: string): Problem {
  return { at, text: `${at} in body is required`, error: (field) => required(field, '') };
}

export function enumProblem(at: string, value: Json, allowed: readonly Json[]): Problem {
  const values = allowed.map((one) => (typeof one === 'string' ? one : stringifyJson(one)));
  return { at, text: `${at} in body should be one of [${values.join(' ')}]`, error: (field) => notListed(field, value, values) };
}

export function tooLongProblem(at: string, max: number): Problem {
  return { at, text: `${at} in body should be at most ${max} chars long`, error: (field) => tooLong(field, max) };
}

export function tooManyProblem(at: string, actual: number, max: number, what: 'items' | 'properties'): Problem {
  return { at, text: `${at} in body should have at most ${max} ${what}`, error: (field) => tooMany(field, actual, max) };
}

/** Of a combination of schemas: `"spec" must validate one and only one schema (oneOf). Found none valid`. */
export function combinedProblem(path: string, words: string): Problem {
  const text = `${JSON.stringify(path)} ${words}`;
  return { at: undefined, text, error: (field) => invalid(field, '', text) };
}
