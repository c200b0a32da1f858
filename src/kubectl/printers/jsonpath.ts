import { JsonPathError, JsonPath as Template } from '../../meta/index.ts';
import { KubectlError } from '../program/errors.ts';

/** A JSONPath template that throws KubectlErrors. */
export class JsonPath {
  readonly #template: Template;

  /** @throws KubectlError when the template is invalid */
  constructor(template: string, allowMissing = true) {
    this.#template = wrapTemplateErrors(() => new Template(template, allowMissing));
  }

  /** Renders the template. */
  print(data: unknown): string {
    return wrapTemplateErrors(() => this.#template.print(data));
  }

  /** The results of each path, in order. */
  results(data: unknown): unknown[][] {
    return wrapTemplateErrors(() => this.#template.results(data));
  }
}

function wrapTemplateErrors<T>(run: () => T): T {
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
