import type { ByteSink, ByteSource, ByteStream } from '../env/index.ts';
import type { ApiHandler, ApiRequest, ApiResponse } from '../meta/index.ts';
import type { StreamCall } from './serve-stream-call.ts';

/**
 * The kubelet of a node, as the API server uses it. Requests are plain values, and streams end by their own means: a source by its end or
 * its iterator's `return`, a sink by `close`, everything by the signal.
 */
export interface KubeletApi {
  /**
   * The output of a container, in the kubelet's format: with `timestamps` each line begins with its RFC 3339 time in nanoseconds.
   * @throws KubeletError 400 while the container waits to start (`container "c" in pod "p" is waiting to start: ContainerCreating`) or has
   * no previous instance, 404 for an unknown pod or container
   */
  containerLogs(request: LogRequest, signal: AbortSignal): Promise<ByteSource>;
  /**
   * Prepares a command; it starts with `run`.
   * @throws KubeletError 404 for an unknown pod (`pod does not exist`), 500 for a container that does not run (`container not found ("c")`)
   */
  exec(request: ExecRequest): Promise<ContainerSession>;
  /**
   * Prepares to connect to the streams of the container's own process.
   * @throws KubeletError as `exec`, but for a container that does not run: `container c not found in pod p_default`
   */
  attach(request: AttachRequest): Promise<ContainerSession>;
  /**
   * Checks that the pod exists and has a sandbox, before any of its ports is dialed.
   * @throws KubeletError 404 `pod does not exist`
   */
  portForward(pod: PodTarget): Promise<PortForwarder>;
  /** The kubelet's own HTTP server, below `/`: `/healthz`, `/metrics`, `/pods`, `/logs/`. Requests have an absolute path as target. */
  readonly http: ApiHandler;
}

/** A kubelet in another thread, which also switches protocols there. */
export interface RemoteKubelet extends Pick<KubeletApi, 'containerLogs' | 'http'> {
  /** Passes a request for exec, attach or port forwarding on, as kube-apiserver does. @throws KubeletUnreachable */
  serveStreams(request: ApiRequest, call: StreamCall): Promise<ApiResponse>;
}

/** A pod of a node. */
export interface PodTarget {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export interface ContainerTarget extends PodTarget {
  /** A container, init container or ephemeral container of the pod. */
  readonly container: string;
}

/** Options of PodLogOptions, checked by the API server. */
export interface LogRequest extends ContainerTarget {
  readonly follow: boolean;
  /** The previous instance of the container. */
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly sinceSeconds: number | undefined;
  /** Milliseconds since 1970. */
  readonly sinceTime: number | undefined;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  readonly stream: 'All' | 'Stdout' | 'Stderr';
}

export interface AttachRequest extends ContainerTarget {
  /** Which streams the session has. With `tty` the output of both streams is in stdout. */
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

export interface ExecRequest extends AttachRequest {
  /** Not empty. */
  readonly command: readonly string[];
}

/** A command that can be started, or a process that can be connected to. */
export interface ContainerSession {
  /**
   * Runs until the process has exited (exec), or has exited or all its streams have ended (attach). Closes `stdout` and `stderr` before it
   * resolves. When the signal is aborted (the client has disconnected), the streams end; the process gets no signal, as in a real node.
   * @throws Error with the runtime's message when the command cannot be started, e.g. `… executable file not found in $PATH …`
   */
  run(streams: SessionStreams, signal: AbortSignal): Promise<SessionResult>;
}

/** The client's ends of the streams. Undefined: not requested. */
export interface SessionStreams {
  readonly stdin: ByteSource | undefined;
  readonly stdout: ByteSink | undefined;
  readonly stderr: ByteSink | undefined;
  /** Sizes of the client's terminal, the first one at the beginning. Only with `tty`. */
  readonly resize: AsyncIterable<TerminalSize> | undefined;
}

/** In characters. */
export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

export interface SessionResult {
  /** 0 for attach. */
  readonly exitCode: number;
}

export interface PortForwarder {
  /**
   * Connects to a port of the pod, at its loopback address.
   * @throws Error with the runtime's message, e.g. `dial tcp4 127.0.0.1:80: connect: connection refused`
   */
  connect(port: number, signal: AbortSignal): Promise<ByteStream>;
}

/** An error response of the kubelet, from before any stream is open. */
export class KubeletError extends Error {
  override readonly name = 'KubeletError';
  /** HTTP status: 400, 404, 500. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** No kubelet could be reached; the message is the one of Go's dialer. */
export class KubeletUnreachable extends Error {
  override readonly name = 'KubeletUnreachable';
  /** The URL of the request. */
  readonly url: string;

  constructor(url: string, message: string) {
    super(message);
    this.url = url;
  }
}

/** The kubelets that run in this process, or are connected to it. */
export interface Kubelets {
  /** Undefined: no kubelet of this name can be reached. */
  kubeletOf(node: string): KubeletApi | RemoteKubelet | undefined;
}
