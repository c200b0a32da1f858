import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type Generator, generators, manifest, printed } from '../sites/generators.ts';
import { runExample, useExamplesSite } from './examples-site.ts';
import { readFeed } from './feed-reader.ts';
import { takeScreenshot } from './screens.ts';

const root = new URL('../../', import.meta.url).pathname;
const installed = join(root, 'dist/generators');
const site = useExamplesSite();

const programOf = ({ command: [program] }: Generator): string => (isAbsolute(program) ? program : join(installed, program));
const isInstalled = (generator: Generator): boolean => existsSync(join(installed, 'node_modules')) && existsSync(programOf(generator));

const missing = generators.filter((generator) => !isInstalled(generator)).map(({ name }) => name);
if (missing.length > 0) console.warn(`skipped: sites of ${missing.join(', ')}; \`node test/sites/install.mjs\` installs their generators`);

/** The packages of the generators include this one, as a user has it. */
beforeAll(() => {
  if (missing.length === generators.length) return;
  const link = join(installed, 'node_modules/tabplane');
  rmSync(link, { recursive: true, force: true });
  symlinkSync(root, link);
});

/** Builds the site of a generator; returns its folder. */
async function buildSite(generator: Generator): Promise<string> {
  const folder = join(installed, 'sites', generator.name);
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of Object.entries(generator.files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const env = { ...process.env, NODE_ENV: 'production', CI: 'true', ASTRO_TELEMETRY_DISABLED: '1', FORCE_COLOR: '0' };
  await promisify(execFile)(programOf(generator), generator.command.slice(1), { cwd: folder, env }).catch(({ stdout, stderr }) => {
    throw new Error(`${generator.name} does not build its site:\n${stdout}${stderr}`);
  });
  return join(folder, generator.output);
}

/** Writes the blocks of a built page to the fixtures of examples.test.ts, with TABPLANE_RECORD. */
async function record({ name }: Generator, page: Page): Promise<void> {
  if (process.env['TABPLANE_RECORD'] === undefined) return;
  const blocks = await page.evaluate(() => {
    const outputs = '.output, .tabplane-output, code.language-output';
    const found: string[] = [];
    // Their names change with every build.
    for (const element of document.querySelectorAll('main link, main script')) element.remove();
    for (let block = document.querySelector('tabplane-example, .tabplane'); block; block = block.nextElementSibling) {
      found.push(block.outerHTML);
      if (block.matches(outputs) || block.querySelector(outputs)) break;
    }
    return found;
  });
  writeFileSync(join(root, `test/browser/data/generators/${name}.html`), `${blocks.join('\n')}\n`);
}

for (const generator of generators) {
  test.skipIf(!isInstalled(generator))(
    `a site of ${generator.name} is complete without JavaScript, and runs its example`,
    async () => {
      const built = await buildSite(generator);
      site.host.folders.set(`/${generator.name}/`, built);
      const url = `${site.host.url}${generator.name}/${generator.page}`;
      const plain = await (await site.context({ javaScriptEnabled: false })).newPage();
      await plain.goto(url);
      expect(await plain.getByText('kind: ConfigMap').isVisible()).toBe(true);
      expect(await plain.getByText(printed).locator('visible=true').count()).toBe(1);
      await record(generator, plain);
      if (generator.feed !== undefined) {
        const feed = readFileSync(join(built, generator.feed), 'utf8');
        expect((await readFeed(plain, feed)).blocks).toEqual([manifest.replace('\n\n', '\n'), printed]);
      }

      const page = await (await site.context()).newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      await page.goto(url);
      expect(await runExample(page, 0)).toBe(`${printed}\n`);
      expect(await page.getByRole('status').getByText('The result is as documented').count()).toBe(1);
      expect(await page.locator('tabplane-example').count()).toBe(1);
      expect(await page.getByText(printed).locator('visible=true').count()).toBe(1);
      expect(errors).toEqual([]);
      await takeScreenshot(page, `site-${generator.name}`);
    },
    600_000,
  );
}
