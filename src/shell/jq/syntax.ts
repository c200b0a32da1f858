import type { Json } from '../../meta/index.ts';

/** A filter of the jq language. */
export type Filter =
  | { readonly kind: 'identity' }
  | { readonly kind: 'recurse' }
  | { readonly kind: 'literal'; readonly value: Json }
  /** Text with interpolated filters, each formatted: `"a\(.b)"`, `@base64 "\(.c)"`. */
  | { readonly kind: 'text'; readonly parts: readonly (string | Filter)[]; readonly format: string }
  | { readonly kind: 'format'; readonly name: string }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'index'; readonly of: Filter; readonly key: Filter }
  | { readonly kind: 'slice'; readonly of: Filter; readonly from: Filter | undefined; readonly to: Filter | undefined }
  | { readonly kind: 'iterate'; readonly of: Filter }
  | { readonly kind: 'array'; readonly items: Filter | undefined }
  | { readonly kind: 'object'; readonly entries: readonly (readonly [key: Filter, value: Filter])[] }
  | { readonly kind: 'negate'; readonly of: Filter }
  | { readonly kind: 'pipe' | 'comma' | 'and' | 'or' | 'alternative'; readonly left: Filter; readonly right: Filter }
  | { readonly kind: 'operator'; readonly operator: string; readonly left: Filter; readonly right: Filter }
  /** `=`, `|=`, `+=`, … */
  | { readonly kind: 'assign'; readonly operator: string; readonly left: Filter; readonly right: Filter }
  | { readonly kind: 'if'; readonly condition: Filter; readonly then: Filter; readonly otherwise: Filter }
  | { readonly kind: 'try'; readonly body: Filter; readonly handler: Filter | undefined }
  | { readonly kind: 'bind'; readonly source: Filter; readonly pattern: BindingPattern; readonly body: Filter }
  | {
      readonly kind: 'reduce' | 'foreach';
      readonly source: Filter;
      readonly pattern: BindingPattern;
      readonly initial: Filter;
      readonly update: Filter;
      readonly extract: Filter | undefined;
    }
  | { readonly kind: 'define'; readonly definition: Definition; readonly body: Filter }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Filter[] }
  | { readonly kind: 'label'; readonly name: string; readonly body: Filter }
  | { readonly kind: 'break'; readonly name: string };

/** `$x`, `[$a, $b]`, `{key: $v}`. */
export type BindingPattern =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'array'; readonly items: readonly BindingPattern[] }
  | { readonly kind: 'object'; readonly entries: readonly (readonly [key: Filter, value: BindingPattern | undefined, bound?: string])[] };

/** `def name(f; $x): body;` */
export interface Definition {
  readonly name: string;
  /** Parameters that begin with `$` are also bound as variables. */
  readonly parameters: readonly string[];
  readonly body: Filter;
}

/** A program that cannot be parsed, or that names what is not defined. */
export class CompileError extends Error {}

/** An error that a filter raises; `try` catches it. The message follows `jq: error (at <stdin>:1)`. */
export class FilterError extends Error {
  readonly value: Json;

  constructor(value: Json) {
    super(typeof value === 'string' ? `: ${value}` : ` (not a string): ${JSON.stringify(value)}`);
    this.value = value;
  }
}
