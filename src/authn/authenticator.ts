import type { User } from './user.ts';

/** What a request carries to say who makes it. */
export interface Credentials {
  readonly bearerToken: string | undefined;
}

/** One method of part 5.2. The first that finds a user decides. */
export interface Authenticator {
  /** As traces and metrics call it. */
  readonly name: string;
  /** Undefined: not mine, ask the next. */
  authenticate(credentials: Credentials): Promise<User | undefined>;
}
