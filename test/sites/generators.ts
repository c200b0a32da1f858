import { readFileSync } from 'node:fs';

/** A generator of documentation, and a site for it with one example and its documented output. */
export interface Generator {
  readonly name: string;
  /** The program, relative to the folder of the installed generators; its arguments follow. */
  readonly command: readonly [program: string, ...args: string[]];
  /** The files of the site by path. */
  readonly files: Readonly<Record<string, string>>;
  /** The folder with the built site. */
  readonly output: string;
  /** The page with the example, in the built site. */
  readonly page: string;
  /** The feed with the example, in the built site, if the generator makes one. */
  readonly feed?: string;
}

/** The code of the example, and its documented output. */
export const manifest = `apiVersion: v1
kind: ConfigMap

metadata:
  name: shop`;
export const printed = 'configmap/shop created';

/** A fenced block for each info string. */
const document = (example: string, output: string): string =>
  `# Guide\n\n\`\`\`${example}\n${manifest}\n\`\`\`\n\nIt prints:\n\n\`\`\`${output}\n${printed}\n\`\`\`\n`;

const commonDocument = document('yaml tabplane cluster=shop expect="shop created"', 'text output');
const scriptUrl = '/tabplane/example.js';
const script = `<script src="${scriptUrl}" data-names="kubernetes"></script>`;
/** The start of a page, for generators without a layout of their own. */
const head = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Guide</title>${script}</head><body>`;

const renderHook = new URL('../../src/embed/plugins/hugo-render-codeblock.html', import.meta.url);

/** Each site is served below its name. */
export const generators: readonly Generator[] = [
  {
    name: 'markdown-it',
    // The program is Node.js itself: this one is a library.
    command: [process.execPath, 'build.mjs'],
    files: {
      'build.mjs': `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import MarkdownIt from 'markdown-it';
import { tabplaneExamples } from 'tabplane/plugins';
const body = new MarkdownIt().use(tabplaneExamples).render(readFileSync('guide.md', 'utf8'));
mkdirSync('site');
writeFileSync('site/guide.html', '${head}' + body);
`,
      'guide.md': commonDocument,
    },
    output: 'site',
    page: 'guide.html',
  },
  {
    name: 'remark',
    command: [process.execPath, 'build.mjs'],
    files: {
      'build.mjs': `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import rehypeStringify from 'rehype-stringify';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { remarkTabplane } from 'tabplane/plugins';
import { unified } from 'unified';
const processor = unified().use(remarkParse).use(remarkTabplane).use(remarkRehype).use(rehypeStringify);
mkdirSync('site');
writeFileSync('site/guide.html', '${head}' + String(await processor.process(readFileSync('guide.md', 'utf8'))));
`,
      'guide.md': commonDocument,
    },
    output: 'site',
    page: 'guide.html',
  },
  {
    name: 'vitepress',
    command: ['node_modules/.bin/vitepress', 'build'],
    files: {
      '.vitepress/config.mjs': `import { tabplaneExamples } from 'tabplane/plugins';
export default {
  title: 'Guide',
  base: '/vitepress/',
  head: [['script', { src: '${scriptUrl}', 'data-names': 'kubernetes' }]],
  markdown: { config: (md) => md.use(tabplaneExamples) },
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === 'tabplane-example' } } },
};
`,
      'guide.md': commonDocument,
    },
    output: '.vitepress/dist',
    page: 'guide.html',
  },
  {
    name: 'docusaurus',
    command: ['node_modules/.bin/docusaurus', 'build'],
    files: {
      // Of no type: Docusaurus builds no site that is a package of modules.
      'package.json': '{ "private": true }\n',
      'docusaurus.config.js': `import { remarkTabplane } from 'tabplane/plugins';
export default {
  title: 'Guide',
  url: 'https://example.com',
  baseUrl: '/docusaurus/',
  headTags: [{ tagName: 'script', attributes: { src: '${scriptUrl}', 'data-names': 'kubernetes' } }],
  presets: [['classic', { docs: { routeBasePath: '/', remarkPlugins: [remarkTabplane] }, blog: { remarkPlugins: [remarkTabplane] } }]],
};
`,
      'docs/guide.mdx': `---\nslug: /\n---\n\n${commonDocument}`,
      'blog/2026-01-01-post.md': commonDocument,
    },
    output: 'build',
    page: 'index.html',
    feed: 'blog/atom.xml',
  },
  {
    name: 'starlight',
    command: ['node_modules/.bin/astro', 'build'],
    files: {
      'astro.config.mjs': `import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';
import { remarkTabplane } from 'tabplane/plugins';
const head = [{ tag: 'script', attrs: { src: '${scriptUrl}', 'data-names': 'kubernetes' } }];
export default defineConfig({
  base: '/starlight',
  markdown: { remarkPlugins: [remarkTabplane] },
  integrations: [starlight({ title: 'Guide', head, pagefind: false })],
});
`,
      'src/content.config.ts': `import { docsLoader } from '@astrojs/starlight/loaders';
import { docsSchema } from '@astrojs/starlight/schema';
import { defineCollection } from 'astro:content';
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };
`,
      'src/content/docs/index.md': `---\ntitle: Guide\n---\n\n${commonDocument.replace('# Guide\n\n', '')}`,
    },
    output: 'dist',
    page: 'index.html',
  },
  {
    name: 'hugo',
    command: ['python/bin/hugo', '--quiet'],
    files: {
      'hugo.toml': "baseURL = 'http://localhost/hugo/'\ntitle = 'Guide'\n",
      'layouts/_default/_markup/render-codeblock.html': readFileSync(renderHook, 'utf8'),
      'layouts/_default/single.html': `${head}{{ .Content }}`,
      'content/guide.md': document('yaml {.tabplane cluster=shop expect="shop created"}', 'text {.output}'),
    },
    output: 'public',
    page: 'guide/index.html',
    feed: 'index.xml',
  },
  {
    name: 'mkdocs-material',
    command: ['python/bin/mkdocs', 'build', '--quiet'],
    files: {
      'mkdocs.yml': `site_name: Guide
theme: { name: material, font: false, custom_dir: overrides }
markdown_extensions:
  - attr_list
  - pymdownx.superfences
  - pymdownx.highlight: { pygments_lang_class: true }
`,
      'overrides/main.html': `{% extends "base.html" %}\n{% block extrahead %}${script}{% endblock %}\n`,
      'docs/index.md': document('{.yaml .tabplane data-cluster=shop data-expect="shop created"}', '{.text .output}').replaceAll(
        '```{',
        '``` {',
      ),
    },
    output: 'site',
    page: 'index.html',
  },
  {
    name: 'mdbook',
    command: ['python/bin/mdbook', 'build'],
    files: {
      'book.toml': '[book]\ntitle = "Guide"\n',
      'theme/head.hbs': script,
      'src/SUMMARY.md': '# Summary\n\n- [Guide](guide.md)\n',
      'src/guide.md': document('yaml,tabplane', 'text,output')
        .replace('```yaml', '<tabplane-example cluster="shop" expect="shop created">\n\n```yaml')
        .replace('\n\nIt prints', '\n\n</tabplane-example>\n\nIt prints'),
    },
    output: 'book',
    page: 'guide.html',
  },
];
