export interface Scenario {
  readonly name: string;
  readonly names?: string;
  readonly server?: {
    readonly flags?: readonly string[];
    readonly files?: Readonly<Record<string, string>>;
    readonly refuses?: { readonly exit: number; readonly says: string };
  };
  /** Helpers on loopback that the server calls. */
  readonly outside?: Readonly<Record<string, OutsideHelper>>;
  readonly steps: readonly ScenarioStep[];
}

export interface OutsideHelper {
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly port?: number;
  /** The first that matches is sent. */
  readonly answers: readonly OutsideAnswer[];
}

export interface OutsideAnswer {
  readonly path?: string;
  readonly method?: string;
  /** JSON pointers into the request's body, and the required values. */
  readonly when?: Readonly<Record<string, unknown>>;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  /** Milliseconds. */
  readonly delay?: number;
}

export interface ScenarioStep {
  /** Repeats the request for `ms` milliseconds, until the response is the expected one. */
  readonly retry?: { readonly ms: number };
  readonly expect?: {
    status?: number;
    json?: { details?: { causes?: readonly { readonly reason?: string }[] }; code?: number; reason?: string };
  };
}

export interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  /** The client certificate to send, in PEM. */
  readonly cert?: { readonly cert: string; readonly key: string } | undefined;
}

export interface Received {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly chunks: AsyncIterable<Uint8Array>;
  close(): void;
}

export interface ScenarioResult {
  readonly passed: boolean;
  readonly failures: readonly string[];
}

/** The value at a JSON pointer. */
export function pointer(document: unknown, path: string): unknown;

export function runScenario(
  scenario: Scenario,
  options: {
    readonly send: (request: Sent) => Promise<Received>;
    readonly tokens: Readonly<Record<string, string>>;
    /** The ports of the helpers: `port-NAME`. */
    readonly variables?: Readonly<Record<string, string>>;
    readonly takeRequests?: (name: string) => readonly unknown[];
  },
): Promise<ScenarioResult>;
