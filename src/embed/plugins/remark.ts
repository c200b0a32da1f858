import { elementOf } from '../markdown/block-kind.ts';

/** The used part of a node of mdast. */
interface Node {
  readonly type: string;
  readonly lang?: string | null;
  readonly meta?: string | null;
  children?: Node[];
  readonly data?: object;
}

/** A plugin of remark, for Docusaurus, Astro, Starlight and MDX: fenced blocks with the word `tabplane` become live examples. */
export function remarkTabplane(): (tree: Node) => void {
  return wrapExamples;
}

function wrapExamples(parent: Node): void {
  if (parent.children === undefined) return;
  parent.children = parent.children.map((node) => {
    wrapExamples(node);
    const element = node.type === 'code' ? elementOf(`${node.lang ?? ''} ${node.meta ?? ''}`) : undefined;
    if (element === undefined) return node;
    const { class: className, ...attributes } = element.attributes;
    const properties = className === undefined ? attributes : { ...attributes, className: [className] };
    // remark-rehype, and MDX with it, make an element of a node with `hName`.
    return { type: 'tabplaneBlock', data: { hName: element.name, hProperties: properties }, children: [node] };
  });
}
