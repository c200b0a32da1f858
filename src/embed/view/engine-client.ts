import type { Clock } from '../../env/index.ts';
import type { EnginePort, FromEngine, StoryKey, ToEngine } from '../protocol.ts';
import type { Example, ExampleResult } from '../story/index.ts';

/** Receives the output of a run. */
export type OutputListener = (text: string, stream: 'out' | 'err') => void;

/** A run in progress. */
export interface Run {
  /** Rejects when the engine cannot run it. */
  readonly result: Promise<ExampleResult>;
  stop(): void;
}

export interface EngineClientOptions {
  /** Starts an engine; rejects when none can run in this page. */
  readonly start: () => Promise<EnginePort>;
  readonly schedule: Clock['schedule'];
}

interface PendingRequest {
  readonly onOutput: OutputListener;
  readonly resolve: (answer: FromEngine) => void;
  readonly reject: (error: Error) => void;
}

/** An engine that does not react for this time is terminated. */
const stopLimitMs = 2_000;

type Request = ToEngine extends infer Message ? (Message extends ToEngine ? Omit<Message, 'id'> : never) : never;

/** The one engine of a page: started on first use, and again after it was terminated. */
export class EngineClient {
  readonly #options: EngineClientOptions;
  readonly #pending = new Map<number, PendingRequest>();
  #port: Promise<EnginePort> | undefined;
  #lastId = 0;

  constructor(options: EngineClientOptions) {
    this.#options = options;
  }

  /** Loads the engine, so that the first run need not wait for it. */
  async start(): Promise<void> {
    await this.#open();
  }

  run(story: StoryKey, example: Example, onOutput: OutputListener): Run {
    const id = ++this.#lastId;
    const result = this.#request(id, { kind: 'run', story, example }, onOutput).then((answer) => {
      if (answer.kind !== 'result') throw new Error(`unexpected answer ${answer.kind}`);
      return answer.result;
    });
    return { result, stop: () => void this.#stop(id) };
  }

  async reset(story: StoryKey): Promise<void> {
    // An engine that is not started has no clusters.
    if (this.#port) await this.#request(++this.#lastId, { kind: 'reset', story });
  }

  /** The payload of a link to the playground. */
  async link(story: StoryKey): Promise<string> {
    const answer = await this.#request(++this.#lastId, { kind: 'link', story });
    return answer.kind === 'done' ? answer.text : '';
  }

  async #request(id: number, request: Request, onOutput: OutputListener = () => undefined): Promise<FromEngine> {
    const port = await this.#open();
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { onOutput, resolve, reject });
      port.send({ ...request, id } as ToEngine);
    });
  }

  #open(): Promise<EnginePort> {
    this.#port ??= this.#options.start().then(
      (port) => {
        port.onMessage((message) => this.#handle(message));
        return port;
      },
      (error: unknown) => {
        // The next click tries again, for instance when the network is back.
        this.#port = undefined;
        throw error;
      },
    );
    return this.#port;
  }

  #handle(message: FromEngine): void {
    if (!('id' in message)) return;
    const request = this.#pending.get(message.id);
    if (message.kind === 'output') {
      request?.onOutput(message.text, message.stream);
      return;
    }
    this.#pending.delete(message.id);
    if (message.kind === 'failed') request?.reject(new Error(message.message));
    else request?.resolve(message);
  }

  async #stop(id: number): Promise<void> {
    const port = await this.#open();
    port.send({ kind: 'stop', id });
    this.#options.schedule(stopLimitMs, () => {
      if (this.#pending.has(id)) this.#terminate(port);
    });
  }

  #terminate(port: EnginePort): void {
    port.terminate();
    this.#port = undefined;
    for (const { reject } of this.#pending.values()) reject(new Error('stopped; the cluster was lost'));
    this.#pending.clear();
  }
}
