import { type AuthorizationOptions, authorizationDefaults, PolicyFileError, readPolicyFile, settingsOfModes } from '../../cluster/index.ts';
import type { Product } from '../../meta/index.ts';
import { authorizationModes } from './authorization-checks.ts';
import { FlagError } from './flag-error.ts';
import type { FlagValues } from './flag-values.ts';
import { readNamedFile } from './named-file.ts';

/** What the flags of authorization say. */
export interface AuthorizationFlags {
  /** `--authorization-mode`, in order. */
  readonly modes: readonly string[];
  readonly policyFile: string;
}

export function authorizationFlags(flags: FlagValues): AuthorizationFlags {
  return { modes: authorizationModes(flags), policyFile: flags.text('authorization-policy-file') };
}

/** Reads the files that the flags name. @throws FlagError */
export async function readAuthorization({ modes, policyFile }: AuthorizationFlags, product: Product): Promise<AuthorizationOptions> {
  const policies =
    policyFile === '' ? [] : await orInvalid(async () => readPolicyFile(await readNamedFile(policyFile), policyFile, product));
  return { ...authorizationDefaults, authorizers: settingsOfModes(modes), policies };
}

/** What is wrong with the files is told as a mistake of the whole. */
async function orInvalid<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof FlagError || error instanceof PolicyFileError)
      throw new FlagError(`invalid authorization config: ${error.message}`);
    throw error;
  }
}
