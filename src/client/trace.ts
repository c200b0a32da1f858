/** One stage of a request's way: what decided, how, by which rule, how long. */
export interface StageTrace {
  readonly stage: string;
  readonly verdict: string;
  readonly detail: string;
  readonly ms: number;
}

/** One request as its host saw it. */
export interface RequestTrace {
  /** The answer's `Audit-Id`; empty when it had none. */
  readonly auditId: string;
  /** The request's `X-Request-Id`; empty when it had none. */
  readonly requestId: string;
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly user: string;
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly ms: number;
  readonly stages: readonly StageTrace[];
}

const entryPattern = /([!#$%&'*+.^`|~\w-]+)((?:\s*;\s*[\w-]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^",;\s]*))*)/g;
const parameterPattern = /;\s*([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^",;\s]*))/g;

/** The stages of a `Server-Timing` header: `authz;dur=0.2;desc="RBAC rolebinding default/read-pods"`. */
export function stagesOf(serverTiming: string): StageTrace[] {
  return [...serverTiming.matchAll(entryPattern)].map(([, stage = '', parameters = '']) => {
    const named = new Map(
      [...parameters.matchAll(parameterPattern)].map(([, name = '', quoted, bare]) => [name, unquoted(quoted) ?? bare ?? '']),
    );
    return { stage, verdict: named.get('verdict') ?? '', detail: named.get('desc') ?? '', ms: Number(named.get('dur') ?? 0) || 0 };
  });
}

function unquoted(text: string | undefined): string | undefined {
  return text?.replace(/\\(.)/g, '$1');
}
