import type { YamlEntry, YamlNode } from './yaml-nodes.ts';

/** A range of the text. */
export interface FieldPlace {
  readonly from: number;
  readonly to: number;
}

/** The place of a field by the path in an error of the server: `spec.containers[0].image`, `metadata.labels[app.example.com/x]`. Of a missing field it is that of its parent. */
export function findField(root: YamlNode, path: string): FieldPlace {
  let node: YamlNode | undefined = root;
  let place: FieldPlace = firstPlace(root);
  for (const [, inBrackets, name] of path.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)) {
    const step: string = inBrackets ?? name ?? '';
    if (node?.kind === 'list') {
      node = node.items[Number(step)];
      if (node === undefined) return place;
      place = firstPlace(node);
    } else {
      const entry: YamlEntry | undefined = node?.kind === 'map' ? node.entries.find((one) => one.name === step) : undefined;
      if (entry === undefined) return place;
      place = { from: entry.from, to: entry.to };
      node = entry.value;
    }
  }
  return place;
}

/** The first key of a map, or the whole node. */
function firstPlace(node: YamlNode): FieldPlace {
  const { from, to } = (node.kind === 'map' ? node.entries[0] : undefined) ?? node;
  return { from, to };
}
