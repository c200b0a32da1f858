import { parseQuantity, quantityInteger } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { ImageRecord } from '../images/image-record.ts';
import { loadOf } from '../usage/process-load.ts';
import type { Process } from './process.ts';
import { isShell, programName, runScript, scriptOf } from './script.ts';

/** Processes without a handler of SIGTERM ignore it as process 1 of a container. */
const ignoring = /^(sh|bash|ash|dash|sleep|tail|cat|top|watch|yes|perl|python3?|stress)$/;

/** Longer scripts are not evaluated: they take too long, and run until they are stopped. */
const maxScriptLength = 32 * 1024;

/** Well-behaved servers end soon after SIGTERM. */
const stopped = { atMs: 100, code: 0 };

/** How the process of a container runs, by its command or that of its image. */
export function processOf(container: Pick<corev1.Container, 'command' | 'args' | 'resources'>, image: ImageRecord): Process {
  const words = wordsOf(container, image);
  const [program = '', ...args] = words;
  const name = programName(program);
  const onTerm = ignoring.test(name) ? {} : { onTerm: stopped };
  const isDefault = container.command === undefined;
  const listening = isDefault && image.ports ? { ports: image.ports, ...(image.paths ? { paths: image.paths } : {}) } : {};
  return { files: [], ...onTerm, ...listening, ...courseOf(name, args, container) };
}

/** The command of a container with its arguments, by itself or its image. */
export function wordsOf({ command = [], args = [] }: Pick<corev1.Container, 'command' | 'args'>, image: ImageRecord): readonly string[] {
  if (command.length > 0) return [...command, ...args];
  return [...(image.entrypoint ?? []), ...(args.length > 0 ? args : (image.command ?? []))].map(String);
}

function courseOf(name: string, args: readonly string[], { resources }: Pick<corev1.Container, 'resources'>): Partial<Process> {
  const script = scriptOf([name, ...args]);
  if ((script?.length ?? 0) > maxScriptLength) return {};
  if (script !== undefined) return { ...runScript(script), ...handlerOf(script) };
  // A script of an image or a volume is unknown; a shell without input ends.
  if (isShell(name)) return args.some((arg) => !arg.startsWith('-')) ? {} : { exit: { atMs: 0, code: 0 } };
  if (name === 'agnhost') return agnhost(args);
  if (name === 'stress') return stress(args, resources);
  if (name === 'perl') return { exit: { atMs: 3_000, code: 0 } };
  if (/^(python3?|node)$/.test(name)) return args.length > 0 && !args.includes('-c') ? {} : { exit: { atMs: 100, code: 0 } };
  if (
    /^(true|false|exit|sleep|echo|printf|date|env|printenv|ls|cat|touch|hostname|id|pwd|uname|whoami|hello|curl|wget|nslookup|mkdir|cp|mv|chmod|chown|tar|git|expr|seq|test|\[|kubectl|openssl|psql|mysqldump|pg_dump|tail)$/.test(
      name,
    )
  ) {
    const command = [name, ...args.map((arg) => `'${arg}'`)].join(' ');
    return command.length > maxScriptLength ? {} : runScript(command);
  }
  return {};
}

/** A script with a trap of SIGTERM ends when it gets the signal. */
function handlerOf(script: string): Pick<Process, 'onTerm'> {
  const trap = script.split(/[\n]/).find((line) => /\btrap\b.*\b(SIG)?TERM\b/.test(line));
  if (trap === undefined) return {};
  const code = /\bexit (\d{1,3})\b/.exec(trap)?.[1];
  return { onTerm: { atMs: 0, code: Number(code ?? 0) } };
}

/** The programs of the test image agnhost. */
function agnhost(args: readonly string[]): Partial<Process> {
  switch (args[0]) {
    // /healthz fails after ten seconds. Cf. test/images/agnhost/liveness.
    case 'liveness':
      return { ports: [8080], failing: { fromMs: 10_000 } };
    case 'entrypoint-tester':
    case 'help':
      return { exit: { atMs: 0, code: 0 } };
    default:
      return {};
  }
}

/** `stress --vm-bytes 250M` is killed when its limit is lower. */
function stress(args: readonly string[], resources: corev1.ResourceRequirements | undefined): Partial<Process> {
  if (args.includes('--help') || args.length === 0) return { exit: { atMs: 0, code: 0 } };
  const limit = resources?.limits?.['memory'];
  if (limit === undefined) return {};
  const used = loadOf(['stress', ...args]).memoryBytes;
  return used > Number(quantityInteger(parseQuantity(limit))) ? { exit: { atMs: 1_000, code: 137, reason: 'OOMKilled' } } : {};
}
