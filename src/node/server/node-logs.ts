import { containerStatusesOf } from '../../component-helpers/index.ts';
import { type ApiResponse, compareTexts } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { ContainerTarget } from '../../streaming/index.ts';
import type { Containers } from './container-calls.ts';
import { nosniff, plain } from './responses.ts';

/** A request about the directory of logs of a node. */
interface LogsCall {
  readonly containers: Containers;
  readonly pods: readonly { readonly pod: corev1.Pod; readonly uid: string }[];
  /** Below `/logs/`. */
  readonly path: string;
  readonly signal: AbortSignal;
}

/** `/logs/`: the files of the containers in `/var/log`. Cf. pkg/kubelet ServeLogs, net/http FileServer. */
export async function nodeLogs({ containers, pods, path, signal }: LogsCall): Promise<ApiResponse> {
  const files = filesOf(pods);
  const target = files.get(path);
  if (target) return plain(200, await contentOf(target, containers, signal));
  const names = [...files.keys(), 'containers/', 'pods/'];
  const isDirectory = (name: string): boolean => name === '' || (name.endsWith('/') && names.some((one) => one.startsWith(name)));
  if (isDirectory(path)) return listing(new Set(names.filter((name) => name.startsWith(path)).flatMap((name) => entryOf(name, path))));
  if (!isDirectory(`${path}/`)) return plain(404, '404 page not found\n', nosniff);
  return { status: 301, headers: [['location', `${path.split('/').at(-1)}/`]], body: undefined };
}

/** The containers by the paths of their files. */
function filesOf(pods: LogsCall['pods']): ReadonlyMap<string, ContainerTarget> {
  const files = new Map<string, ContainerTarget>();
  for (const { pod, uid } of pods) {
    const { namespace = '', name = '' } = pod.metadata;
    for (const { name: container, containerID, restartCount } of containerStatusesOf(pod)) {
      if (!containerID) continue;
      const target = { namespace, name, uid, container };
      files.set(`containers/${name}_${namespace}_${container}-${containerID.replace(/^.*:\/\//, '')}.log`, target);
      files.set(`pods/${namespace}_${name}_${uid}/${container}/${restartCount}.log`, target);
    }
  }
  return files;
}

/** The member of a directory to which a path leads. */
function entryOf(path: string, directory: string): readonly string[] {
  const [, entry] = /^([^/]+\/?)/.exec(path.slice(directory.length)) ?? [];
  return entry === undefined ? [] : [entry];
}

function listing(entries: ReadonlySet<string>): ApiResponse {
  const links = [...entries].sort(compareTexts).map((entry) => `<a href="${entry}">${entry}</a>\n`);
  const body = `<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n${links.join('')}</pre>\n`;
  return { status: 200, headers: [['content-type', 'text/html; charset=utf-8']], body };
}

/** The lines of both streams in the format of the container runtime. */
async function contentOf(target: ContainerTarget, containers: Containers, signal: AbortSignal): Promise<string> {
  const lines: string[] = [];
  for (const stream of ['Stdout', 'Stderr'] as const) {
    const options = { follow: false, previous: false, timestamps: true, stream };
    const none = { sinceSeconds: undefined, sinceTime: undefined, tailLines: undefined, limitBytes: undefined };
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of await containers.containerLogs({ ...target, ...options, ...none }, signal))
      text += decoder.decode(chunk, { stream: true });
    const written = text.split('\n').filter((line) => line !== '');
    lines.push(...written.map((line) => line.replace(' ', ` ${stream.toLowerCase()} F `)));
  }
  const timeOf = (line: string): string => line.slice(0, line.indexOf(' '));
  return lines
    .sort((a, b) => compareTexts(timeOf(a), timeOf(b)))
    .map((line) => `${line}\n`)
    .join('');
}
