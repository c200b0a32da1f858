import { convertPage } from './convert-page.ts';
import { parseScenarioIndex, type ScenarioAsset, type ScenarioIndex, type ScenarioPage } from './scenario-index.ts';

/** A scenario as a lesson. */
export interface ImportedScenario {
  /** The lesson and its setup script, by name. */
  readonly files: ReadonlyMap<string, string>;
  /** Parts that have no equivalent in a lesson. */
  readonly notes: readonly string[];
}

const indexFile = 'index.json';
const lessonFile = 'lesson.md';
const setupFile = 'setup.sh';
const minutesPerStep = 2;

/** Converts a scenario. `files` has its folder, by path. @throws Error when index.json is missing or invalid */
export function importScenario(files: ReadonlyMap<string, string>): ImportedScenario {
  const json = files.get(indexFile);
  if (json === undefined) throw new Error('the folder has no index.json');
  const scenario = parseScenarioIndex(json);
  const notes: string[] = [];
  const readFile = (path: string | undefined): string => {
    if (path === undefined) return '';
    const text = files.get(path.replace(/^\.?\//, ''));
    if (text === undefined) notes.push(`the file ${path} is missing`);
    return text ?? '';
  };
  const setup = setupScript(scenario, files, readFile, notes);
  const pages = scenario.steps.map((page, at) => stepText(page, at, readFile, notes));
  const intro = convertPage(readFile(scenario.intro.text)).markdown;
  const finish = convertPage(readFile(scenario.finish.text)).markdown;
  const head = frontMatter(scenario, setup !== '');
  const lesson = [head, intro, ...pages, ...(finish === '' ? [] : [`## Finish {#finish}\n${finish}`])].filter((one) => one !== '');
  const texts: [string, string][] = [[lessonFile, `${lesson.join('\n\n')}\n`]];
  return { files: new Map(setup === '' ? texts : [...texts, [setupFile, setup]]), notes };
}

function frontMatter({ title, description, steps, image }: ScenarioIndex, hasSetup: boolean): string {
  const [, count] = /(\d+)nodes?$/.exec(image) ?? [];
  const nodes = count === undefined ? (image.startsWith('kubernetes') ? 1 : 0) : Number(count);
  return [
    '---',
    `title: ${JSON.stringify(title)}`,
    `summary: ${JSON.stringify(description)}`,
    `minutes: ${Math.max(5, steps.length * minutesPerStep)}`,
    ...(nodes > 0 ? [`nodes: ${nodes}`] : []),
    ...(hasSetup ? [`cluster: {run: [${setupFile}]}`] : []),
    '---',
  ].join('\n');
}

/** The assets, and the script that runs before the first step. */
function setupScript(
  { intro, assets, finish }: ScenarioIndex,
  files: ReadonlyMap<string, string>,
  readFile: (path: string | undefined) => string,
  notes: string[],
): string {
  if (intro.foreground !== undefined) notes.push(`${intro.foreground} runs in the background`);
  for (const script of [finish.background, finish.foreground]) if (script !== undefined) notes.push(`${script} is not run`);
  const copies = assets.flatMap((asset) => copyAsset(asset, files, notes));
  const scripts = [intro.background, intro.foreground].map(readFile).map((script) => script.replace(/^#!.*\n/, ''));
  return [...copies, ...scripts].filter((one) => one.trim() !== '').join('\n');
}

/** Assets for the home directory, also as /root, are written there. A pattern selects several files. */
function copyAsset({ file, target }: ScenarioAsset, files: ReadonlyMap<string, string>, notes: string[]): readonly string[] {
  const inHome = target.replace(/^(?:~|\/root(?=\/|$))\/?/, '').replace(/\/$/, '');
  if (inHome.startsWith('/')) {
    notes.push(`the asset ${file} is not copied to ${target}, outside of the home directory`);
    return [];
  }
  const folder = 'assets/';
  const paths = [...files.keys()].filter((path) => path.startsWith(folder) && matchesPattern(path.slice(folder.length), file));
  if (paths.length === 0) notes.push(`the asset ${file} is missing`);
  return paths.map((path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const at = inHome === '' ? `~/${name}` : `~/${inHome}/${name}`;
    const folderLine = inHome === '' ? '' : `mkdir -p ~/${inHome}\n`;
    return `${folderLine}cat > ${at} <<'END_OF_ASSET'\n${(files.get(path) ?? '').trimEnd()}\nEND_OF_ASSET`;
  });
}

/** Patterns have one `*` at most: `*`, `*.yaml`, `app-*`. */
function matchesPattern(name: string, pattern: string): boolean {
  const [start = '', end] = pattern.split('*');
  return end === undefined ? name === pattern : name.startsWith(start) && name.endsWith(end) && name.length >= start.length + end.length;
}

function stepText(page: ScenarioPage, at: number, readFile: (path: string | undefined) => string, notes: string[]): string {
  for (const script of [page.background, page.foreground]) {
    if (script !== undefined) notes.push(`${script} is not run: only the script of the introduction is`);
  }
  const { markdown, hints, solution } = convertPage(readFile(page.text));
  const title = page.title === '' ? `Step ${at + 1}` : page.title;
  return [
    `## ${title} {#step-${at + 1}}`,
    markdown,
    ...checkBlock(readFile(page.verify)),
    ...hints.map((hint) => `\`\`\`\`hint\n${hint}\n\`\`\`\``),
    ...solutionBlock(solution),
  ]
    .filter((one) => one !== '')
    .join('\n');
}

function checkBlock(script: string): readonly string[] {
  const lines = script
    .trimEnd()
    .split('\n')
    .filter((line, at) => at > 0 || !line.startsWith('#!'));
  if (lines.join('').trim() === '') return [];
  const indented = lines.map((line) => (line === '' ? '' : `    ${line}`)).join('\n');
  return [
    `\`\`\`\`check\n- run: |\n${indented}\n  message: The check of this step does not succeed yet.\n  done: The check of this step succeeds.\n\`\`\`\``,
  ];
}

function solutionBlock(solution: string): readonly string[] {
  return solution === '' ? [] : [`\`\`\`\`solution\n${solution}\n\`\`\`\``];
}
