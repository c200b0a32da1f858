import type { StageTrace } from '../../meta/index.ts';

const entryPattern = /([!#$%&'*+.^`|~\w-]+)((?:\s*;\s*[\w-]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^",;\s]*))*)/g;
const parameterPattern = /;\s*([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^",;\s]*))/g;

/** Parses a `Server-Timing` header: `authz;dur=0.2;desc="RBAC rolebinding default/read-pods"`. */
export function parseServerTiming(serverTiming: string): StageTrace[] {
  return [...serverTiming.matchAll(entryPattern)].map(([, stage = '', parameters = '']) => {
    const named = new Map(
      [...parameters.matchAll(parameterPattern)].map(([, name = '', quoted, bare]) => [name, unquote(quoted) ?? bare ?? '']),
    );
    return { stage, verdict: named.get('verdict') ?? '', detail: named.get('desc') ?? '', ms: Number(named.get('dur') ?? 0) || 0 };
  });
}

function unquote(text: string | undefined): string | undefined {
  return text?.replace(/\\(.)/g, '$1');
}

/** The authenticated user: `alice` of the detail `alice by token file`. Empty without an authn stage. */
export function authenticatedUser(stages: readonly StageTrace[]): string {
  const detail = stages.find(({ stage }) => stage === 'authn')?.detail ?? '';
  const end = detail.lastIndexOf(' by ');
  return end < 0 ? detail : detail.slice(0, end);
}
