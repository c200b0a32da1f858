import { type NodeState, nodeStateAnnotation } from '../../meta/index.ts';
import { FlagError } from './flags/flag-error.ts';

/** States by the words of the command. */
const states: Readonly<Record<string, NodeState>> = { start: 'running', stop: 'stopped', shutdown: 'shutting-down' };

const usage = 'Usage: tabplane node start|stop|shutdown NAME [--kubeconfig FILE]';

export const nodeUsage: string = `${usage}

Changes the state of a simulated node, by an annotation of its Node object.

  stop      power failure: the node reports nothing any more, and its pods are evicted after some minutes
  shutdown  graceful shutdown: ends the pods, then stops
  start     starts a stopped node: its containers are restarted

Further flags are those of kubectl.
`;

/** Whether a command line is a request for the help. */
export function isNodeHelp([first, ...others]: readonly string[]): boolean {
  return first === undefined || first === 'help' || [first, ...others].some((word) => word === '--help' || word === '-h');
}

/**
 * `tabplane node stop NAME`: the arguments of the kubectl command that changes a simulated node: `stop` is a power failure, `shutdown` ends
 * the pods first. @throws FlagError
 */
export function nodeCommand(words: readonly string[]): readonly string[] {
  const [verb = '', name = '', ...flags] = words;
  const state = Object.hasOwn(states, verb) ? states[verb] : undefined;
  if (state === undefined || name === '' || name.startsWith('-'))
    throw new FlagError(`expected start, stop or shutdown, and the name of a node\n${usage}`);
  return ['annotate', 'node', name, `${nodeStateAnnotation}=${state}`, '--overwrite', ...flags];
}
