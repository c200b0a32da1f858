import type { ContainerSession, SessionStreams } from '../kubelet-api.ts';
import type { Outcome } from './session-status.ts';

/** The client's side of a session, whatever the protocol. */
export interface RemoteConnection {
  readonly streams: SessionStreams;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
  /** Writes the outcome to the error stream. */
  writeOutcome(outcome: Outcome): Promise<void>;
  close(): Promise<void>;
}

/** Runs a session and reports its outcome. */
export async function runSession(session: ContainerSession, connection: RemoteConnection): Promise<void> {
  const outcome = await session
    .run(connection.streams, connection.signal)
    .catch((error: unknown): Outcome => ({ error: error instanceof Error ? error : new Error(String(error)) }));
  await connection.writeOutcome(outcome);
  await connection.close();
}
