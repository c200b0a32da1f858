/** State of a configuration file that is reloaded while the server runs (part 5.4, 5.6 rule 8). */
export interface ConfigurationReport {
  readonly of: 'authentication' | 'authorization' | 'encryption';
  /** Hash of the server's identity, and of the content in force: `sha256:…`. */
  readonly serverHash: string;
  readonly contentHash: string;
  /** Number and last time of reloads, by result. */
  readonly reloads: ReadonlyMap<'success' | 'failure', Reloads>;
}

export interface Reloads {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly lastMs: number;
}
