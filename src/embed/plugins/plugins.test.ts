import { expect, test } from 'vitest';
import { remarkTabplane, tabplaneExamples } from './index.ts';

/** A renderer as that of markdown-it, whose rule gets the tokens and the index of one. */
function renderFence(info: string): string {
  const rules = { fence: (tokens: { readonly info: string }[], index: number) => `<pre>${tokens[index]?.info}</pre>\n` };
  tabplaneExamples({ renderer: { rules } });
  return rules.fence([{ info }], 0);
}

test('the plugin of markdown-it puts an element around marked blocks', () => {
  expect(renderFence('yaml tabplane cluster=shop readonly nodes=2')).toBe(
    '<tabplane-example language="yaml" cluster="shop" nodes="2" readonly=""><pre>yaml tabplane cluster=shop readonly nodes=2</pre>\n</tabplane-example>\n',
  );
  expect(renderFence('text output')).toBe('<div class="tabplane-output"><pre>text output</pre>\n</div>\n');
  expect(renderFence('yaml')).toBe('<pre>yaml</pre>\n');
});

test('values cannot leave their attribute, and attributes of no meaning are omitted', () => {
  expect(renderFence(`sh tabplane onclick="alert(1)" expect='"><script>'`)).toContain(
    '<tabplane-example language="sh" expect="&quot;&gt;&lt;script&gt;"><pre>',
  );
});

test('the plugin of remark puts an element around marked blocks, also in lists', () => {
  const code = { type: 'code', lang: 'yaml', meta: 'tabplane cluster=shop' };
  const output = { type: 'code', lang: 'text', meta: 'output' };
  const plain = { type: 'code', lang: 'yaml', meta: null };
  const tree = { type: 'root', children: [{ type: 'listItem', children: [code, output] }, plain] };
  remarkTabplane()(tree);
  expect(tree).toEqual({
    type: 'root',
    children: [
      {
        type: 'listItem',
        children: [
          {
            type: 'tabplaneBlock',
            data: { hName: 'tabplane-example', hProperties: { language: 'yaml', cluster: 'shop' } },
            children: [code],
          },
          { type: 'tabplaneBlock', data: { hName: 'div', hProperties: { className: ['tabplane-output'] } }, children: [output] },
        ],
      },
      plain,
    ],
  });
});
