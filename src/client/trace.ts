import type { StageTrace } from '../meta/index.ts';

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

/** Whom the server took the request's sender for: `alice by token file` is alice; empty when the stages do not say. */
export function userOf(stages: readonly StageTrace[]): string {
  const detail = stages.find(({ stage }) => stage === 'authn')?.detail ?? '';
  const end = detail.lastIndexOf(' by ');
  return end < 0 ? detail : detail.slice(0, end);
}
