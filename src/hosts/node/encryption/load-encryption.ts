import { EncryptionConfigError, type EncryptionRule, readEncryptionConfig } from '../../../cluster/index.ts';
import type { Env } from '../../../env/index.ts';
import type { Product } from '../../../meta/index.ts';
import { readNamedFile } from '../config/named-file.ts';
import { watchFile } from '../config/watch-file.ts';
import { convertToFlagError, FlagError } from '../flags/flag-error.ts';
import { Encryption } from './encrypted-values.ts';

export interface EncryptionFlags {
  readonly configFile: string;
  /** `--encryption-provider-config-automatic-reload` */
  readonly isReloaded: boolean;
}

/** Reads the configuration file, and follows its changes if it is reloaded. @throws FlagError */
export async function loadEncryption({ configFile, isReloaded }: EncryptionFlags, product: Product, env: Env): Promise<() => Encryption> {
  const content = await readContent(configFile);
  let current = new Encryption(readRules(content, configFile, product));
  if (isReloaded) {
    watchFile(configFile, content, env, async (changed) => {
      current = new Encryption(readRules(changed, configFile, product));
      env.log.info('the encryption configuration was reloaded', { path: configFile });
    });
  }
  return () => current;
}

async function readContent(path: string): Promise<string> {
  try {
    return await readNamedFile(path);
  } catch (error) {
    if (!(error instanceof FlagError)) throw error;
    const message = `error opening encryption provider configuration file ${JSON.stringify(path)}: ${error.message}`;
    throw new FlagError(`error while parsing file: error while loading file: ${message}`);
  }
}

function readRules(content: string, path: string, product: Product): readonly EncryptionRule[] {
  return convertToFlagError(() => readEncryptionConfig(content, path, product), EncryptionConfigError);
}
