import { formatElement, type PathElement } from '../fieldpath/path-element.ts';

/** A value that does not match its shape, with its path. */
export interface TypedProblem {
  readonly path: readonly PathElement[];
  readonly message: string;
}

/** A value that does not match its schema. The message lists every problem, as the real server does. */
export class TypedError extends Error {
  readonly #problems: readonly TypedProblem[];

  constructor(problems: readonly TypedProblem[]) {
    super();
    this.name = 'TypedError';
    this.#problems = problems;
  }

  /** Computed lazily: for objects without field ownership the message is never used. */
  override get message(): string {
    return formatProblems(this.#problems);
  }
}

function formatProblems(problems: readonly TypedProblem[]): string {
  const [first] = problems;
  if (problems.length === 1 && first) return formatProblem(first);
  return ['errors:', ...problems.map((problem) => `  ${formatProblem(problem)}`)].join('\n');
}

function formatProblem({ path, message }: TypedProblem): string {
  return path.length === 0 ? message : `${path.map(formatElement).join('')}: ${message}`;
}
