/** What is known of a configuration file that is followed while the server runs (part 5.4, 5.6 rule 8). */
export interface ConfigurationReport {
  readonly of: 'authentication' | 'authorization';
  /** Which server it is, and what the file says that is in force: `sha256:…`. */
  readonly serverHash: string;
  readonly contentHash: string;
  /** How often it was read anew, and when last. */
  readonly reloads: ReadonlyMap<'success' | 'failure', Reloads>;
}

export interface Reloads {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly lastMs: number;
}
