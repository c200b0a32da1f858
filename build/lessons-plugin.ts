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
  let compiler: Promise<LessonCompiler> | undefined;
  const compilerOnce = (): Promise<LessonCompiler> => {
    compiler ??= createCompiler(names);
    return compiler;
  };
  return {
    name: 'tabplane-lessons',
    resolveId: (id) => (id === tracksId || id.startsWith(lessonPrefix) ? `\0${id}` : undefined),
    async load(id) {
      if (id === `\0${tracksId}`) return `export const tracks = [${tracks(await compilerOnce()).join(',\n')}];`;
      if (!id.startsWith(`\0${lessonPrefix}`)) return undefined;
      const [track = '', name = ''] = id.slice(lessonPrefix.length + 1).split('/');
      this.addWatchFile(join(folder, track, `${name}.md`));
      return `export const lesson = ${JSON.stringify((await compilerOnce()).compile(track, name))};`;
    },
  };
}

interface LessonCompiler {
  readonly trackOf: (track: string) => Format.Track;
  readonly namesOf: (track: string) => readonly string[];
  /** @throws Error for an invalid lesson, so that none is shipped */
  readonly compile: (track: string, name: string) => Format.ParsedLesson['lesson'];
}

/** The format's reader is the page's own source, which imports data as the page does: so it is run by vite, too. */
async function createCompiler(names: Meta.ProductName): Promise<LessonCompiler> {
  const load = async <Module>(path: string): Promise<Module> =>
    (await runnerImport<Module>(join(root, path), { root, configFile: false, logLevel: 'error' })).module;
  const format = await load<typeof Format>('src/tutorials/format/index.ts');
  const { productByName } = await load<typeof Meta>('src/meta/index.ts');
  const read = (track: string, file: string): string => productByName(names).rename(readFileSync(join(folder, track, file), 'utf8'));
  const trackOf = (track: string): Format.Track => format.readTrack(read(track, 'track.md'));
  const compile: LessonCompiler['compile'] = (track, name) => {
    const options = { render: format.renderProse, file: (file: string) => read(track, file), inherited: trackOf(track).inherited };
    const [, original] = /^(.*)\.[^.]+$/.exec(name) ?? [];
    const source = read(track, `${name}.md`);
    const { lesson, problems } =
      original === undefined
        ? format.parseLesson(source, options)
        : format.parseTranslation(source, read(track, `${original}.md`), options);
    const [problem] = problems;
    if (problem) throw new Error(`${track}/${name}.md:${problem.line}: ${problem.message}`);
    return lesson;
  };
  const namesOf = (track: string): readonly string[] =>
    format.lessonFiles(readdirSync(join(folder, track))).map((file) => file.slice(0, -'.md'.length));
  return { trackOf, namesOf, compile };
}

function tracks({ trackOf, namesOf, compile }: LessonCompiler): readonly string[] {
  return readdirSync(folder)
    .sort()
    .map((track) => {
      const { title, about } = trackOf(track);
      const all = namesOf(track).map((name) => {
        const { title: own, summary, minutes, requires, steps, i18n, exam } = compile(track, name);
        const facts = JSON.stringify({
          id: name,
          title: own,
          summary,
          minutes,
          requires,
          steps: steps.map(({ id }) => id),
          exam: exam !== undefined,
        });
        const modules = [['en', name], ...Object.entries(i18n).map(([language, file]) => [language, file.replace(/\.md$/, '')])];
        const loaders = modules.map(
          ([language, file]) => `'${language}': () => import('${lessonPrefix}${track}/${file}').then((one) => one.lesson)`,
        );
        return `{...${facts}, languages: {${loaders.join(',')}}}`;
      });
      return `{...${JSON.stringify({ id: track, title, about })}, lessons: [${all.join(',\n')}]}`;
    });
}
