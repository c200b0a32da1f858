import { type NodeState, nodeStateAnnotation } from '../../meta/index.ts';
import { FlagError } from './flag-error.ts';

/** States by the words of the command. */
const states: Readonly<Record<string, NodeState>> = { start: 'running', stop: 'stopped', shutdown: 'shutting-down' };

const usage = 'tabplane node start|stop|shutdown NAME [--kubeconfig FILE]';

/**
 * `tabplane node stop NAME`: the arguments of the kubectl command that changes a simulated node: `stop` is a power failure, `shutdown` ends
 * the pods first. @throws FlagError
 */
export function nodeCommand(words: readonly string[]): readonly string[] {
  const [verb = '', name = '', ...flags] = words;
  const state = Object.hasOwn(states, verb) ? states[verb] : undefined;
  if (state === undefined || name === '' || name.startsWith('-')) throw new FlagError(`Usage: ${usage}`);
  return ['annotate', 'node', name, `${nodeStateAnnotation}=${state}`, '--overwrite', ...flags];
}
