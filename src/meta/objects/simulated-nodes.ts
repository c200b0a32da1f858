/** Annotations of Node objects that control a simulated node. */

/** `stopped`: without power; `shutting-down`: it ends its pods first; absent: it runs. */
export const nodeStateAnnotation = 'node.tabplane.dev/state';

/** Low resources, as if they were used by other programs: a list of `memory`, `disk` and `pid`. */
export const nodePressureAnnotation = 'node.tabplane.dev/pressure';

export type NodeState = 'running' | 'shutting-down' | 'stopped';

interface Annotated {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}

/** What a simulated node should do. */
export function nodeStateOf(node: Annotated | undefined): NodeState {
  const state = node?.metadata.annotations?.[nodeStateAnnotation];
  return state === 'stopped' || state === 'shutting-down' ? state : 'running';
}
