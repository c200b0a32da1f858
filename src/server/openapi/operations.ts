import type { Product } from '../../meta/index.ts';
import {
  type Catalog,
  formatGroupVersion,
  type GroupVersion,
  parseGroupVersion,
  type Resource,
  type Subresource,
} from '../../schema/index.ts';
import {
  connecting,
  deleting,
  deletingMany,
  listing,
  nameInPath,
  namespaceInPath,
  type Parameter,
  patching,
  proxyPathInPath,
  reading,
  readingLog,
  writing,
} from './parameters.ts';

export type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch';

/** One operation, as both versions of OpenAPI describe it. */
export interface Operation {
  readonly path: string;
  readonly method: Method;
  readonly id: string;
  readonly tag: string;
  readonly action?: string;
  readonly kind?: GroupVersion & { readonly kind: string };
  readonly consumes?: readonly string[];
  readonly produces: readonly string[];
  /** Those in the path included. */
  readonly parameters: readonly Parameter[];
  readonly body?: Body;
  /** Catalog type by status code; `string` is plain text. */
  readonly responses: readonly (readonly [code: number, type: string])[];
}

export interface Body {
  readonly type: string;
  readonly required: boolean;
}

const status = 'meta/v1.Status';
const deleteOptions: Body = { type: 'meta/v1.DeleteOptions', required: false };
const patch: Body = { type: 'meta/v1.Patch', required: true };
const anything = ['*/*'];

/** All operations of one group version. */
export function operationsOf(catalog: Catalog, product: Product, { group, version }: GroupVersion): readonly Operation[] {
  return catalog
    .resourcesOf(formatGroupVersion({ group, version }))
    .flatMap((resource) => new ResourceOperations(catalog, product, resource).all());
}

/** `rbac.authorization.k8s.io` → `rbacAuthorization`; the core group is `core`. */
export function groupWord(product: Product, group: string): string {
  if (group === '') return 'core';
  const suffix = product.rename('"x.k8s.io"').slice(2, -1);
  const words = (group.endsWith(suffix) ? group.slice(0, -suffix.length) : group).split('.');
  return words.map((word, at) => (at === 0 ? word : capitalized(word))).join('');
}

export function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Media types of objects; custom resources have no protobuf. */
export function mediaTypes(product: Product, custom = false): readonly string[] {
  const texts = ['application/json', 'application/yaml'];
  return custom ? texts : [...texts, product.names.protobufMediaType];
}

class ResourceOperations {
  readonly #catalog: Catalog;
  readonly #resource: Resource;
  readonly #objects: readonly string[];
  readonly #streams: readonly string[];
  readonly #patches: readonly string[];
  readonly #tag: string;
  /** `CoreV1`, in the middle of operation ids. */
  readonly #groupVersion: string;
  readonly #root: string;
  readonly #collection: string;
  readonly #inPath: readonly Parameter[];

  constructor(catalog: Catalog, product: Product, resource: Resource) {
    const { group, version, name, namespaced, custom } = resource;
    this.#catalog = catalog;
    this.#resource = resource;
    this.#objects = mediaTypes(product, custom !== undefined);
    this.#streams = [
      ...this.#objects,
      'application/json;stream=watch',
      ...(custom ? [] : [`${product.names.protobufMediaType};stream=watch`]),
    ];
    this.#patches = ['json-patch+json', 'merge-patch+json', ...(custom ? [] : ['strategic-merge-patch+json']), 'apply-patch+yaml'].map(
      (subtype) => `application/${subtype}`,
    );
    const word = groupWord(product, group);
    this.#tag = `${word}_${version}`;
    this.#groupVersion = capitalized(word) + capitalized(version);
    this.#root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    this.#collection = namespaced ? `/namespaces/{namespace}/${name}` : `/${name}`;
    this.#inPath = namespaced ? [namespaceInPath] : [];
  }

  all(): readonly Operation[] {
    const { subresources, custom, verbs } = this.#resource;
    return [
      ...this.#collectionOperations(),
      ...(verbs.has('watch') && !custom ? this.#watchOperations() : []),
      ...this.#itemOperations(),
      ...[...subresources.values()].flatMap((sub) => this.#subresourceOperations(sub)),
    ];
  }

  #collectionOperations(): readonly Operation[] {
    const { verbs, kind, namespaced, name } = this.#resource;
    const path = this.#root + this.#collection;
    const type = this.#type();
    const list = { action: 'list', produces: this.#streams, responses: [[200, `${type}List`]] } as const;
    const operations: Operation[] = [];
    if (verbs.has('list')) {
      operations.push(this.#operation(path, 'get', this.#id('list'), [...listing, ...this.#inPath], list));
      if (namespaced) {
        const id = `list${this.#groupVersion}${kind}ForAllNamespaces`;
        operations.push(this.#operation(`${this.#root}/${name}`, 'get', id, listing, list));
      }
    }
    if (verbs.has('create')) {
      const body = { type, required: true };
      operations.push(
        this.#operation(path, 'post', this.#id('create'), [...writing, ...this.#inPath], {
          action: 'post',
          body,
          responses: created(type),
        }),
      );
    }
    if (verbs.has('deletecollection')) {
      const id = this.#id('delete', 'Collection');
      const answers = { action: 'deletecollection', body: deleteOptions, responses: [[200, status]] } as const;
      operations.push(this.#operation(path, 'delete', id, [...deletingMany, ...this.#inPath], answers));
    }
    return operations;
  }

  #itemOperations(): readonly Operation[] {
    const { verbs, deleteReturnsObject } = this.#resource;
    const path = `${this.#root}${this.#collection}/{name}`;
    const type = this.#type();
    const deleted = deleteReturnsObject ? type : status;
    const operations = this.#readAndWrite(path, '', type, verbs);
    if (verbs.has('delete')) {
      const responses = [
        [200, deleted],
        [202, deleted],
      ] as const;
      operations.push(
        this.#operation(path, 'delete', this.#id('delete'), this.#ofItem(deleting), { action: 'delete', body: deleteOptions, responses }),
      );
    }
    return operations;
  }

  /** get, put, patch of an item or of a part of it. */
  #readAndWrite(path: string, part: string, type: string, verbs: Resource['verbs'], kind?: Operation['kind']): Operation[] {
    const operations: Operation[] = [];
    const of = kind ? { kind } : {};
    const changed = [
      [200, type],
      [201, type],
    ] as const;
    if (verbs.has('get')) {
      operations.push(
        this.#operation(path, 'get', this.#id('read') + part, this.#ofItem(reading), { action: 'get', responses: [[200, type]], ...of }),
      );
    }
    if (verbs.has('update')) {
      const body = { type, required: true };
      operations.push(
        this.#operation(path, 'put', this.#id('replace') + part, this.#ofItem(writing), { action: 'put', body, responses: changed, ...of }),
      );
    }
    if (verbs.has('patch')) {
      const answers = { action: 'patch', consumes: this.#patches, body: patch, responses: changed, ...of };
      operations.push(this.#operation(path, 'patch', this.#id('patch') + part, this.#ofItem(patching), answers));
    }
    return operations;
  }

  /** The older way to watch. */
  #watchOperations(): readonly Operation[] {
    const { kind, namespaced, name } = this.#resource;
    const watch = { produces: this.#streams, responses: [[200, 'meta/v1.WatchEvent']] } as const;
    const many = { action: 'watchlist', ...watch };
    const path = `${this.#root}/watch${this.#collection}`;
    const operations = [
      this.#operation(path, 'get', `${this.#id('watch')}List`, [...listing, ...this.#inPath], many),
      this.#operation(`${path}/{name}`, 'get', this.#id('watch'), this.#ofItem(listing), { action: 'watch', ...watch }),
    ];
    if (namespaced) {
      const id = `watch${this.#groupVersion}${kind}ListForAllNamespaces`;
      operations.push(this.#operation(`${this.#root}/watch/${name}`, 'get', id, listing, many));
    }
    return operations;
  }

  #subresourceOperations(sub: Subresource): readonly Operation[] {
    const path = `${this.#root}${this.#collection}/{name}/${sub.name}`;
    const part = capitalized(sub.name);
    const kind = { ...parseGroupVersion(sub.groupVersion), kind: sub.kind };
    if (Object.hasOwn(connecting, sub.kind)) return this.#connectOperations(path, part, kind);
    if (sub.name === 'log') {
      const answers = { action: 'get', kind, produces: ['text/plain', ...this.#objects], responses: [[200, 'string']] } as const;
      return [this.#operation(path, 'get', `${this.#id('read')}Log`, this.#ofItem(readingLog), answers)];
    }
    const type = `${this.#catalog.packageOf(sub.groupVersion)}.${sub.kind}`;
    const operations = this.#readAndWrite(path, part, type, sub.verbs, kind);
    if (sub.verbs.has('create')) {
      const answers = { action: 'post', kind, body: { type, required: true }, responses: created(type) };
      operations.push(this.#operation(path, 'post', this.#id('create') + part, this.#ofItem(writing), answers));
    }
    return operations;
  }

  #connectOperations(path: string, part: string, kind: GroupVersion & { readonly kind: string }): readonly Operation[] {
    const { proxy = false, parameters = [] } = connecting[kind.kind] ?? {};
    const methods: readonly Method[] = proxy ? ['delete', 'get', 'head', 'options', 'patch', 'post', 'put'] : ['get', 'post'];
    const answers = { action: 'connect', kind, produces: anything, responses: [[200, 'string']] } as const;
    const inPath = [...this.#inPath, nameInPath];
    const id = (method: string): string =>
      `connect${this.#groupVersion}${capitalized(method)}${this.#scope()}${this.#resource.kind}${part}`;
    return methods.flatMap((method) => [
      this.#operation(path, method, id(method), [...parameters, ...inPath], answers),
      ...(proxy
        ? [this.#operation(`${path}/{path}`, method, `${id(method)}WithPath`, [...parameters, ...inPath, proxyPathInPath], answers)]
        : []),
    ]);
  }

  #operation(
    path: string,
    method: Method,
    id: string,
    parameters: readonly Parameter[],
    answers: Pick<Operation, 'responses'> & Partial<Operation>,
  ): Operation {
    const { group, version, kind } = this.#resource;
    return {
      path,
      method,
      id,
      tag: this.#tag,
      kind: { group, version, kind },
      consumes: anything,
      produces: this.#objects,
      parameters,
      ...answers,
    };
  }

  #ofItem(parameters: readonly Parameter[]): readonly Parameter[] {
    return [...parameters, ...this.#inPath, nameInPath];
  }

  #type(): string {
    return `${this.#catalog.packageOf(formatGroupVersion(this.#resource))}.${this.#resource.kind}`;
  }

  #scope(): string {
    return this.#resource.namespaced ? 'Namespaced' : '';
  }

  #id(verb: string, what = ''): string {
    return `${verb}${this.#groupVersion}${what}${this.#scope()}${this.#resource.kind}`;
  }
}

function created(type: string): readonly (readonly [number, string])[] {
  return [
    [200, type],
    [201, type],
    [202, type],
  ];
}
