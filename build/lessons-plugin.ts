import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plugin, runnerImport } from 'vite';
import type * as Meta from '../src/meta/index.ts';
import type * as Format from '../src/tutorials/format/index.ts';

const root = new URL('..', import.meta.url).pathname;
const folder = join(root, 'src/tutorials/lessons');
const tracksId = 'virtual:tabplane-lessons';
const lessonPrefix = 'virtual:tabplane-lesson/';

/**
 * Compiles the lessons under src/tutorials/lessons, one folder a track, so that the page reads no Markdown for them. The catalogue
 * is one module and each lesson another, which is loaded when it is opened.
 */
export function lessons(names: Meta.ProductName): Plugin {
  let created: Promise<LessonCompiler> | undefined;
  const compilerOnce = (): Promise<LessonCompiler> => {
    created ??= createCompiler();
    return created;
  };
  return {
    name: 'tabplane-lessons',
    resolveId: (id) => (id === tracksId || id.startsWith(lessonPrefix) ? `\0${id}` : undefined),
    async load(id) {
      if (id !== `\0${tracksId}` && !id.startsWith(`\0${lessonPrefix}`)) return undefined;
      const compiler = await compilerOnce();
      if (id === `\0${tracksId}`) return `export const tracks = [${tracks(compiler, names).join(',\n')}];`;
      const [as = '', track = '', name = ''] = id.slice(lessonPrefix.length + 1).split('/');
      this.addWatchFile(join(folder, track, `${name}.md`));
      return `export const lesson = ${JSON.stringify(compiler.compile(track, name, as as Meta.ProductName))};`;
    },
  };
}

interface LessonCompiler {
  readonly trackOf: (track: string, names: Meta.ProductName) => Format.Track;
  /** Titles and descriptions of a track by language, from `track.de.md`. */
  readonly trackTranslations: (track: string) => Readonly<Record<string, Pick<Format.Track, 'title' | 'about'>>>;
  readonly namesOf: (track: string) => readonly string[];
  /** @throws Error for an invalid lesson, so that none is shipped */
  readonly compile: (track: string, name: string, names: Meta.ProductName) => Format.ParsedLesson['lesson'];
}

/** The format's reader is the page's own source, which imports data as the page does: so it is run by vite, too. */
async function createCompiler(): Promise<LessonCompiler> {
  const load = async <Module>(path: string): Promise<Module> =>
    (await runnerImport<Module>(join(root, path), { root, configFile: false, logLevel: 'error' })).module;
  const format = await load<typeof Format>('src/tutorials/format/index.ts');
  const { productByName } = await load<typeof Meta>('src/meta/index.ts');
  const readSource = (track: string, file: string): string => readFileSync(join(folder, track, file), 'utf8');
  const readAs = (track: string, file: string, names: Meta.ProductName): string => productByName(names).rename(readSource(track, file));
  const trackOf: LessonCompiler['trackOf'] = (track, names) => format.readTrack(readAs(track, 'track.md', names));
  const trackTranslations: LessonCompiler['trackTranslations'] = (track) =>
    Object.fromEntries(
      readdirSync(join(folder, track)).flatMap((file) => {
        const [, language] = /^track\.(\w+)\.md$/.exec(file) ?? [];
        if (language === undefined) return [];
        const { title, about } = format.readTrack(readSource(track, file));
        return [[language, { title, about }]];
      }),
    );
  const compile: LessonCompiler['compile'] = (track, name, names) => {
    const file = (one: string): string => readAs(track, one, names);
    const options = { render: format.renderProse, file, inherited: trackOf(track, names).inherited };
    const [, original] = /^(.*)\.[^.]+$/.exec(name) ?? [];
    const source = file(`${name}.md`);
    const { lesson, problems } =
      original === undefined ? format.parseLesson(source, options) : format.parseTranslation(source, file(`${original}.md`), options);
    const [problem] = problems;
    if (problem) throw new Error(`${track}/${name}.md:${problem.line}: ${problem.message}`);
    return lesson;
  };
  const namesOf = (track: string): readonly string[] =>
    format.lessonFiles(readdirSync(join(folder, track))).map((file) => file.slice(0, -'.md'.length));
  return { trackOf, trackTranslations, namesOf, compile };
}

/** The catalogue with these names, and loaders of the lessons with all names. */
function tracks(compiler: LessonCompiler, names: Meta.ProductName): readonly string[] {
  const { trackOf, trackTranslations, namesOf, compile } = compiler;
  return readdirSync(folder)
    .map((track) => ({ track, ...trackOf(track, names) }))
    .sort((a, b) => a.order - b.order)
    .map(({ track, title, about }) => {
      const all = namesOf(track).map((name) => {
        const { title: own, summary, minutes, requires, steps, i18n, exam } = compile(track, name, names);
        const translations = Object.entries(i18n).map(([language, file]) => {
          const translated = compile(track, file.replace(/\.md$/, ''), names);
          return [language, { title: translated.title, summary: translated.summary }];
        });
        const facts = JSON.stringify({
          id: name,
          title: own,
          summary,
          translations: Object.fromEntries(translations),
          minutes,
          requires,
          steps: steps.map(({ id }) => id),
          exam: exam !== undefined,
        });
        const files = [['en', name], ...Object.entries(i18n).map(([language, file]) => [language, file.replace(/\.md$/, '')])];
        const loaders = files.map(([language, file = '']) => `'${language}': {${loadersOf(compiler, track, file).join(',')}}`);
        return `{...${facts}, languages: {${loaders.join(',')}}}`;
      });
      return `{...${JSON.stringify({ id: track, title, about, translations: trackTranslations(track) })}, lessons: [${all.join(',\n')}]}`;
    });
}

/** One module for all names if the lesson does not contain any. */
function loadersOf({ compile }: LessonCompiler, track: string, file: string): readonly string[] {
  const [svc, kubernetes] = (['svc', 'kubernetes'] as const).map((names) => JSON.stringify(compile(track, file, names)));
  const load = (names: Meta.ProductName): string => `() => import('${lessonPrefix}${names}/${track}/${file}').then((one) => one.lesson)`;
  return [`svc: ${load(svc === kubernetes ? 'kubernetes' : 'svc')}`, `kubernetes: ${load('kubernetes')}`];
}
