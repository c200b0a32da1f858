import { build, type InlineConfig } from 'vite';

/** Builds the page into a folder of dist, with environment variables that vite.config.ts reads. Returns the folder. */
export async function buildPage(
  name: string,
  variables: Readonly<Record<string, string>> = {},
  config: Omit<InlineConfig, 'build'> = {},
): Promise<string> {
  const outDir = new URL(`../../dist/${name}`, import.meta.url).pathname;
  // Vitest sets NODE_ENV to 'test', with which libraries, such as Lit, would include their development code.
  const changed = { NODE_ENV: 'production', ...variables };
  const before = Object.keys(changed).map((variable) => [variable, process.env[variable]] as const);
  Object.assign(process.env, changed);
  try {
    await build({ ...config, logLevel: 'warn', mode: 'production', build: { outDir } });
  } finally {
    for (const [variable, value] of before) {
      if (value === undefined) delete process.env[variable];
      else process.env[variable] = value;
    }
  }
  return outDir;
}
