import type { Invocation } from '../context.ts';

export const randomBytes = ({ shell }: Pick<Invocation, 'shell'>, length: number): Uint8Array =>
  Uint8Array.from({ length }, () => shell.random.integer(256));
