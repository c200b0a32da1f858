import { elementText, type PathElement } from './path-element.ts';

/** A value that does not fit its shape, with where that was found. */
export interface TypedProblem {
  readonly path: readonly PathElement[];
  readonly message: string;
}

/** Why a value cannot be taken as its kind. The message lists every problem, as the real server does. */
export class TypedError extends Error {
  readonly #problems: readonly TypedProblem[];

  constructor(problems: readonly TypedProblem[]) {
    super();
    this.name = 'TypedError';
    this.#problems = problems;
  }

  /** Made when it is read: nobody reads it of an object that is only not owned field by field. */
  override get message(): string {
    return listed(this.#problems);
  }
}

function listed(problems: readonly TypedProblem[]): string {
  const [first] = problems;
  if (problems.length === 1 && first) return told(first);
  return ['errors:', ...problems.map((problem) => `  ${told(problem)}`)].join('\n');
}

function told({ path, message }: TypedProblem): string {
  return path.length === 0 ? message : `${path.map(elementText).join('')}: ${message}`;
}
