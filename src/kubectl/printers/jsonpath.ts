import { JsonPathError, JsonPath as Template } from '../../meta/index.ts';
import { KubectlError } from '../program/errors.ts';

/** A JSONPath template, whose errors are the program's. */
export class JsonPath {
  readonly #template: Template;

  /** @throws KubectlError when the template is broken */
  constructor(template: string, allowMissing = true) {
    this.#template = orKubectlError(() => new Template(template, allowMissing));
  }

  /** The template with values in place of paths. */
  print(data: unknown): string {
    return orKubectlError(() => this.#template.print(data));
  }

  /** What each path finds, in order. */
  results(data: unknown): unknown[][] {
    return orKubectlError(() => this.#template.results(data));
  }
}

function orKubectlError<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof JsonPathError ? new KubectlError(error.message) : error;
  }
}

/** `metadata.name`, `.metadata.name`, `{.metadata.name}` → `{.metadata.name}`. @throws KubectlError */
export function relaxedPath(expression: string): string {
  if (expression === '') return expression;
  const match = /^\{\.?([^{}]+)\}$|^\.?([^{}]+)$/.exec(expression);
  if (!match)
    throw new KubectlError(`unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'`);
  return `{.${match[1] ?? match[2] ?? ''}}`;
}
