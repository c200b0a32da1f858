export interface Scenario {
  readonly name: string;
  readonly names?: string;
  readonly server?: {
    readonly flags?: readonly string[];
    readonly files?: Readonly<Record<string, string>>;
    readonly refuses?: { readonly exit: number; readonly says: string };
  };
  readonly steps: readonly ScenarioStep[];
}

export interface ScenarioStep {
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

export function runScenario(
  scenario: Scenario,
  options: { readonly send: (request: Sent) => Promise<Received>; readonly tokens: Readonly<Record<string, string>> },
): Promise<ScenarioResult>;
