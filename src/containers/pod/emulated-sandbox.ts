import { amountOf, sysctlName } from '../../component-helpers/index.ts';
import type { ByteStream, Env } from '../../env/index.ts';
import { addQuantities, formatQuantity, type Product, parseQuantity } from '../../meta/index.ts';
import { type HostPort, NetworkError } from '../../network/index.ts';
import type { LiveContainer, PodSandbox, SandboxHost, StartFailure, StartOptions } from '../../node/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { Pipe } from '../../shell/index.ts';
import {
  type AttachRequest,
  type ContainerSession,
  type ContainerTarget,
  type ExecRequest,
  KubeletError,
  type LogRequest,
} from '../../streaming/index.ts';
import { type EnvironmentSources, makeEnvironment, readSources } from '../environment/container-environment.ts';
import { expand } from '../environment/expand.ts';
import type { FieldContext } from '../environment/field-values.ts';
import { PodObjects } from '../environment/pod-objects.ts';
import { serviceVariables } from '../environment/service-variables.ts';
import { createFile, type RegularFile } from '../files/inode.ts';
import type { EmulatedImage } from '../images/images.ts';
import { readLog } from '../logs/read-log.ts';
import type { Connect } from '../network/http-call.ts';
import { createCommandPace } from '../process/command-pace.ts';
import type { ContainerContext } from '../process/container-context.ts';
import type { Listeners } from '../process/listeners.ts';
import { StartError } from '../process/run-process.ts';
import { createSubshellLimit } from '../process/subshell-limit.ts';
import { Tty } from '../process/tty.ts';
import { PodVolumes, type VolumeHost } from '../volumes/pod-volumes.ts';
import { createContainerFiles, createTerminationFile } from './container-files.ts';
import { ContainerConfigError, volumeMounts } from './container-mounts.ts';
import { isSeccompFiltered, rootError, userOf } from './container-user.ts';
import { EmulatedContainer } from './live-container.ts';
import { oomScoreAdjustment } from './oom-score.ts';
import { type ClusterDns, hostsFile, namesOf, type PodNames, resolverFile } from './pod-files.ts';
import { attachSession, execSession } from './sessions.ts';
import { TokenCache } from './token-cache.ts';

export interface SandboxDependencies {
  readonly env: Env;
  readonly product: Product;
  readonly dns: ClusterDns;
  readonly listeners: Listeners;
  readonly volumeHost: Omit<VolumeHost, 'client' | 'nodeName' | 'onExceeded'>;
  imageOf(repository: string): EmulatedImage | undefined;
  /** Called when a sandbox is disposed of. */
  forget(sandbox: EmulatedSandbox): void;
}

/** The instances of a container that are retained: the current and the previous one. */
interface Instances {
  current: EmulatedContainer | undefined;
  previous: EmulatedContainer | undefined;
}

/** The emulated volumes and containers of a pod. */
export class EmulatedSandbox implements PodSandbox {
  readonly #host: SandboxHost;
  readonly #dependencies: SandboxDependencies;
  readonly #volumes: PodVolumes;
  readonly #tokens: TokenCache;
  readonly #sources = new Map<string, EnvironmentSources>();
  readonly #instances = new Map<string, Instances>();
  readonly #podFiles = new Map<string, RegularFile>();
  #services: ReadonlyMap<string, string> = new Map();
  #pod: corev1.Pod;
  /** Bytes in the writable layers of the containers. */
  readonly #usedBytes = new Map<string, number>();
  #closeNetwork: () => void = () => {};

  constructor(pod: corev1.Pod, host: SandboxHost, dependencies: SandboxDependencies) {
    this.#pod = pod;
    this.#host = host;
    this.#dependencies = dependencies;
    const { client, nodeName, evict } = host;
    this.#volumes = new PodVolumes({ ...dependencies.volumeHost, client, nodeName, onExceeded: evict });
    this.#tokens = new TokenCache(dependencies.env.clock);
  }

  hasImage(repository: string): boolean {
    return this.#dependencies.imageOf(repository) !== undefined;
  }

  async prepare(pod: corev1.Pod): Promise<readonly string[]> {
    this.#pod = pod;
    const { product } = this.#dependencies;
    const objects = new PodObjects(pod.metadata.namespace ?? '', this.#host.client);
    const version = product.rename('authentication.k8s.io/v1');
    const errors = await this.#volumes.prepare(pod, {
      objects,
      fields: this.#fields(pod.status.podIP ?? ''),
      token: (projection) => this.#tokens.get(projection, () => objects.token(pod, projection, version)),
    });
    const { initContainers, containers, ephemeralContainers } = pod.spec;
    const waiting = [
      ...(initContainers ?? []),
      ...(containers ?? []),
      ...((ephemeralContainers ?? []) as readonly corev1.Container[]),
    ].filter(({ name }) => {
      const current = this.#instances.get(name)?.current;
      return !current || current.exit !== undefined;
    });
    for (const container of waiting) this.#sources.set(container.name, await readSources(container, objects));
    if (waiting.length > 0) this.#services = await this.#readServices(objects);
    return errors;
  }

  async #readServices(objects: PodObjects): Promise<ReadonlyMap<string, string>> {
    const { apiServiceName } = this.#dependencies.product.names;
    const services = await objects.services(apiServiceName);
    const isApi = ({ metadata }: corev1.Service): boolean =>
      metadata.name === apiServiceName && (metadata.namespace ?? 'default') === 'default';
    return serviceVariables(this.#pod.spec.enableServiceLinks === false ? services.filter(isApi) : services);
  }

  #fields(podIP: string): FieldContext {
    return { pod: this.#pod, podIP, hostIP: this.#host.hostIP, allocatable: this.#host.allocatable() };
  }

  start(spec: corev1.Container, options: StartOptions): LiveContainer | StartFailure {
    const { imageOf } = this.#dependencies;
    this.#connect(options.podIP);
    const image = imageOf(options.repository);
    if (!image) return { reason: 'RunContainerError', message: `the image ${options.repository} is not emulated`, code: 128 };
    try {
      const container = this.#create(spec, image, options);
      const known = this.#instances.get(spec.name) ?? { current: undefined, previous: undefined };
      this.#instances.set(spec.name, { current: container, previous: known.current ?? known.previous });
      return container;
    } catch (error) {
      if (error instanceof ContainerConfigError) return { reason: 'CreateContainerConfigError', message: error.message, code: 128 };
      if (!(error instanceof StartError)) throw error;
      const prefix = 'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed';
      return { reason: 'RunContainerError', message: `${prefix}: unable to start container process: ${error.message}: unknown`, code: 128 };
    }
  }

  recreate(): void {
    this.#closeNetwork();
    this.#closeNetwork = () => {};
    this.#dependencies.listeners.detach();
    this.#podFiles.clear();
  }

  /** Opens the network of the pod with its first container. */
  #connect(podIP: string): void {
    const { network, nodeName, hostIP } = this.#host;
    const { listeners } = this.#dependencies;
    if (!network || listeners.network) return;
    const { metadata, spec } = this.#pod;
    if (spec.hostNetwork) {
      listeners.attach(network.hostOf({ name: nodeName, addresses: [hostIP] }));
      return;
    }
    const { namespace = '', name = '', uid = '' } = metadata;
    const own = network.openPod({ namespace, name, uid, node: nodeName, addresses: [podIP], hostPorts: hostPortsOf(spec) });
    this.#closeNetwork = () => own.close();
    listeners.attach(own);
  }

  readonly #connectFromNode: Connect = async (to, options) => {
    const { network, nodeName, hostIP } = this.#host;
    if (!network) return this.#dependencies.listeners.connectLocally(to);
    return network.hostOf({ name: nodeName, addresses: [hostIP] }).connect(to, options);
  };

  /** @throws ContainerConfigError, StartError */
  #create(spec: corev1.Container, image: EmulatedImage, { podIP }: StartOptions): EmulatedContainer {
    const { env } = this.#dependencies;
    const user = userOf(this.#pod, spec, image);
    const refusal = rootError(this.#pod, spec, user);
    if (refusal !== undefined) throw new ContainerConfigError(refusal);
    const names = namesOf(this.#pod, this.#host.nodeName, this.#dependencies.dns.domain);
    const sources = this.#sources.get(spec.name) ?? { from: [], keys: new Map() };
    const declared = makeEnvironment(spec, sources, this.#services, this.#fields(podIP));
    const environment = new Map([...Object.entries(image.environment), ['HOSTNAME', names.hostname] as const, ...declared]);
    if (!environment.has('HOME')) environment.set('HOME', user.uid === 0 ? '/root' : '/');
    const argv = argvOf(spec, image, declared);
    const terminationFile = createTerminationFile();
    const context = this.#createContext(spec, image, {
      names,
      podIP,
      argv,
      terminationFile,
      environment: declared,
      write: (stream, chunk) => container.writeOutput(stream, chunk),
    });
    const encoder = new TextEncoder();
    const terminal = (): Tty => new Tty((text) => container.writeOutput('stdout', encoder.encode(text)));
    const input = !spec.stdin ? undefined : spec.tty ? terminal() : new Pipe(() => {});
    const container: EmulatedContainer = new EmulatedContainer(
      {
        spec,
        podIP,
        context,
        user,
        terminationFile,
        clock: env.clock,
        connect: this.#connectFromNode,
        onExit: this.#host.wake,
      },
      input,
    );
    container.start(argv, { user, environment });
    return container;
  }

  #createContext(spec: corev1.Container, image: EmulatedImage, parts: ContextParts): ContainerContext {
    const { env, listeners, dns } = this.#dependencies;
    const { names, podIP, argv, terminationFile, environment, write } = parts;
    const startMs = env.clock.monotonicMs();
    const { memory = '8Gi' } = this.#host.allocatable();
    const mayEscalate = spec.securityContext?.allowPrivilegeEscalation !== false;
    const sysctls = new Map((this.#pod.spec.securityContext?.sysctls ?? []).map(({ name, value }) => [sysctlName(name), value]));
    const files = createContainerFiles({
      env,
      image,
      container: spec,
      volumes: volumeMounts(spec, this.#volumes, environment),
      facts: {
        hostname: names.hostname,
        resources: () => context.resources,
        mayEscalate,
        isFiltered: isSeccompFiltered(this.#pod, spec),
        oomScoreAdjustment: oomScoreAdjustment(this.#pod, spec, amountOf('memory', memory)),
        uptimeSeconds: () => (env.clock.monotonicMs() - startMs) / 1_000,
        sysctls,
        argv: () => argv,
      },
      podFiles: this.#filesOfPod(names, podIP, dns),
      terminationPath: spec.terminationMessagePath || '/dev/termination-log',
      terminationFile,
      onUsage: this.#usageCheck(spec),
    });
    const context: ContainerContext = {
      env,
      programs: image.programs,
      files,
      listeners,
      hostname: names.hostname,
      fullHostname: names.fullHostname,
      podIP,
      workingDirectory: spec.workingDir || image.workingDirectory,
      isPrivileged: spec.securityContext?.privileged === true,
      mayEscalate,
      sysctls,
      resources: spec.resources ?? {},
      processes: new Map(),
      writeOutput: write,
      startSubshell: createSubshellLimit(),
      pause: createCommandPace(env.clock),
    };
    return context;
  }

  /** The limit of the pod comes first. Cf. pkg/kubelet/eviction podEphemeralStorageLimitEviction, containerEphemeralStorageLimitEviction. */
  #usageCheck({ name, resources }: corev1.Container): (usedBytes: number) => void {
    const limitOf = (one: Pick<corev1.Container, 'resources'>): string | undefined => one.resources?.limits?.['ephemeral-storage'];
    const limits = (this.#pod.spec.containers ?? []).flatMap((container) => limitOf(container) ?? []);
    const own = limitOf({ resources });
    if (limits.length === 0) return () => {};
    const total = formatQuantity(limits.map(parseQuantity).reduce(addQuantities));
    return (usedBytes) => {
      this.#usedBytes.set(name, usedBytes);
      const sum = [...this.#usedBytes.values()].reduce((bytes, added) => bytes + added, 0);
      if (sum > amountOf('ephemeral-storage', total))
        this.#host.evict(`Pod ephemeral local storage usage exceeds the total limit of containers ${total}. `);
      else if (own !== undefined && usedBytes > amountOf('ephemeral-storage', own))
        this.#host.evict(`Container ${name} exceeded its local ephemeral storage limit ${JSON.stringify(own)}. `);
    };
  }

  /** The containers of a pod share these files. */
  #filesOfPod(names: PodNames, podIP: string, dns: ClusterDns): ReadonlyMap<string, RegularFile> {
    if (this.#podFiles.size === 0) {
      const mtimeMs = this.#dependencies.env.clock.nowMs();
      this.#podFiles.set('/etc/hosts', createFile(hostsFile(this.#pod, names, podIP), { mtimeMs }));
      this.#podFiles.set('/etc/resolv.conf', createFile(resolverFile(this.#pod, dns), { mtimeMs }));
      this.#podFiles.set('/etc/hostname', createFile(`${names.hostname}\n`, { mtimeMs }));
    }
    return this.#podFiles;
  }

  async dial(port: number, signal: AbortSignal): Promise<ByteStream> {
    const refused = `dial tcp4 127.0.0.1:${port}: connect: connection refused`;
    const { network } = this.#dependencies.listeners;
    if (!network) throw new Error(refused);
    try {
      return await network.connect({ address: '127.0.0.1', port }, { signal });
    } catch (error) {
      throw error instanceof NetworkError ? new Error(refused, { cause: error }) : error;
    }
  }

  logs(request: LogRequest, signal: AbortSignal): AsyncIterable<Uint8Array> {
    const { container, previous, sinceSeconds, sinceTime } = request;
    const { name } = this.#pod.metadata;
    const known = this.#instances.get(container);
    const instance = previous ? known?.previous : known?.current;
    if (!instance) {
      if (previous)
        throw new KubeletError(400, `previous terminated container ${JSON.stringify(container)} in pod ${JSON.stringify(name)} not found`);
      throw new KubeletError(
        400,
        `container ${JSON.stringify(container)} in pod ${JSON.stringify(name)} is waiting to start: ContainerCreating`,
      );
    }
    const sinceMs = sinceTime ?? (sinceSeconds === undefined ? undefined : this.#dependencies.env.clock.nowMs() - sinceSeconds * 1_000);
    return readLog(instance.log, { ...request, sinceMs }, signal);
  }

  exec(request: ExecRequest): ContainerSession {
    return execSession(this.#running(request), request);
  }

  attach(request: AttachRequest): ContainerSession {
    return attachSession(this.#running(request), request);
  }

  #running({ container }: ContainerTarget): EmulatedContainer {
    const current = this.#instances.get(container)?.current;
    if (!current || current.exit) throw new KubeletError(500, `container not found (${JSON.stringify(container)})`);
    return current;
  }

  dispose(): void {
    for (const { current } of this.#instances.values()) current?.kill();
    this.#closeNetwork();
    this.#dependencies.forget(this);
  }
}

const hostPortsOf = ({ initContainers, containers }: corev1.PodSpec): readonly HostPort[] =>
  [...(initContainers ?? []), ...(containers ?? [])].flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort, containerPort, protocol = 'TCP', hostIP = '' }) =>
      hostPort ? [{ hostAddress: hostIP, hostPort, containerPort, protocol: protocol as HostPort['protocol'] }] : [],
    ),
  );

interface ContextParts {
  readonly names: PodNames;
  readonly podIP: string;
  readonly argv: readonly string[];
  readonly terminationFile: RegularFile;
  /** For paths in volumes. */
  readonly environment: ReadonlyMap<string, string>;
  readonly write: ContainerContext['writeOutput'];
}

/** The command of a container, with variables replaced. Cf. pkg/kubelet/container ExpandContainerCommandAndArgs. */
function argvOf(
  { command = [], args = [] }: corev1.Container,
  image: EmulatedImage,
  environment: ReadonlyMap<string, string>,
): readonly string[] {
  const expanded = (words: readonly string[]): readonly string[] => words.map((word) => expand(word, (name) => environment.get(name)));
  if (command.length > 0) return [...expanded(command), ...expanded(args)];
  return [...image.entrypoint, ...(args.length > 0 ? expanded(args) : image.command)];
}
