/** A part of a template with its place: `at` is the offset in the template, `text` the part as Go prints it in errors. */
interface Placed {
  readonly at: number;
  readonly text: string;
}

export type Node =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'print'; readonly pipe: Pipe }
  | { readonly type: 'leave'; readonly what: 'break' | 'continue' }
  | TemplateCall
  | { readonly type: 'if' | 'with' | 'range'; readonly pipe: Pipe; readonly body: readonly Node[]; readonly otherwise: readonly Node[] };

/** `{{template "name" pipe}}`. */
export interface TemplateCall extends Placed {
  readonly type: 'call';
  readonly name: string;
  readonly pipe: Pipe | undefined;
}

export interface Pipe extends Placed {
  /** `$x :=`, `$k, $v :=`. */
  readonly variables: readonly string[];
  /** `$x =` rather than `$x :=`. */
  readonly assigns: boolean;
  readonly commands: readonly Command[];
}

export interface Command extends Placed {
  readonly terms: readonly Term[];
}

export type Term = Placed &
  (
    | { readonly type: 'value'; readonly value: unknown; readonly goType: 'bool' | 'int' | 'float64' | 'string' | 'nil' }
    | { readonly type: 'dot' }
    | { readonly type: 'field'; readonly path: readonly string[] }
    | { readonly type: 'variable'; readonly name: string; readonly path: readonly string[] }
    | { readonly type: 'function'; readonly name: string }
    | { readonly type: 'nested'; readonly pipe: Pipe }
    | { readonly type: 'chain'; readonly inner: Term; readonly path: readonly string[] }
  );
