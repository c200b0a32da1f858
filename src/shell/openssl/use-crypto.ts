import type { Invocation } from '../context.ts';
import { CommandError } from '../errors.ts';

/** Web Crypto, with errors that name what is missing. @throws CommandError */
export async function useCrypto<T>({ shell }: Pick<Invocation, 'shell'>, use: (subtle: SubtleCrypto) => Promise<T>): Promise<T> {
  if (!('subtle' in crypto)) throw new CommandError('openssl: keys need Web Crypto, which pages have over HTTPS and on localhost only');
  try {
    // The time of a virtual clock does not pass meanwhile.
    return await shell.clock.hostWork(use(crypto.subtle));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    throw new CommandError(`openssl: Web Crypto: ${error.message || error.name}`);
  }
}
