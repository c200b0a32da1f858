import type { Json, JsonObject } from '../../../meta/index.ts';
import { type ConfigSection, entryOf, setEntry } from '../../kubeconfig/access.ts';
import { bool } from '../../parse/flags.ts';
import type { Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { unexpectedArgsError } from './unexpected-args.ts';

const sections: readonly string[] = ['clusters', 'contexts', 'users'];

/** Parses `clusters.NAME.server`. A NAME with dots is everything between the first and the last one. */
function parsePropertyPath(property: string): { section: ConfigSection; name: string; member: string | undefined } | undefined {
  const [section = '', ...rest] = property.split('.');
  if (!sections.includes(section) || rest.length === 0) return undefined;
  return {
    section: section as ConfigSection,
    name: rest.length > 1 ? rest.slice(0, -1).join('.') : (rest[0] ?? ''),
    member: rest.length > 1 ? rest.at(-1) : undefined,
  };
}

export const setProperty: Command = {
  help: {
    about:
      "Set an individual value in a kubeconfig file.\n\n PROPERTY_NAME is a dot delimited name where each token represents either an attribute name or a map key.  Map keys may not contain dots.\n\n PROPERTY_VALUE is the new value you want to set. Binary fields such as 'certificate-authority-data' expect a base64 encoded string unless the --set-raw-bytes flag is used.\n\n Specifying an attribute name that already exists will merge new fields on top of existing values.",
    examples:
      '  # Set the server field on the my-cluster cluster to https://1.2.3.4\n  kubectl config set clusters.my-cluster.server https://1.2.3.4\n  \n  # Set the certificate-authority-data field on the my-cluster cluster\n  kubectl config set clusters.my-cluster.certificate-authority-data $(echo "cert_data_here" | base64 -i -)\n  \n  # Set the cluster field in the my-context context to my-cluster\n  kubectl config set contexts.my-context.cluster my-cluster\n  \n  # Set the client-key-data field in the cluster-admin user using --set-raw-bytes option\n  kubectl config set users.cluster-admin.client-key-data cert_data_here --set-raw-bytes=true',
    usage: 'kubectl config set PROPERTY_NAME PROPERTY_VALUE [options]',
  },
  flags: {
    'set-raw-bytes': bool(
      false,
      undefined,
      'When writing a []byte PROPERTY_VALUE, write the given string directly without base64 decoding.',
    ),
  },
  async run(call) {
    const [property, value] = call.words;
    if (property === undefined || value === undefined || call.words.length !== 2) throw await unexpectedArgsError(call, setProperty);
    const config = await call.config.load();
    await call.config.save(withProperty(config, property, value));
    call.out(`Property ${JSON.stringify(property)} set.\n`);
    return 0;
  },
};

function withProperty(config: JsonObject, property: string, value: string): JsonObject {
  if (property === 'current-context') return { ...config, 'current-context': value };
  const path = parsePropertyPath(property);
  const parsed: Json = value === 'true' ? true : value === 'false' ? false : value;
  if (!path) throw new KubectlError(`unable to parse ${property} after [] at api.Config`);
  if (path.member === undefined) throw new KubectlError(`unable to parse ${property} after [${path.section}] at api.Config`);
  return setEntry(config, path.section, path.name, {
    ...entryOf(config, path.section, path.name),
    [path.member]: path.member === 'insecure-skip-tls-verify' ? parsed : value,
  });
}

export const unsetProperty: Command = {
  async run(call) {
    const [property] = call.words;
    if (property === undefined || call.words.length !== 1) throw await unexpectedArgsError(call, unsetProperty);
    const config = await call.config.load();
    await call.config.save(withoutProperty(config, property));
    call.out(`Property ${JSON.stringify(property)} unset.\n`);
    return 0;
  },
};

function withoutProperty(config: JsonObject, property: string): JsonObject {
  if (property === 'current-context') return { ...config, 'current-context': '' };
  if (sections.includes(property)) return { ...config, [property]: null };
  const path = parsePropertyPath(property);
  if (!path) throw new KubectlError(`unable to parse ${property} after [] at api.Config`);
  if (path.member === undefined || entryOf(config, path.section, property.slice(path.section.length + 1))) {
    return setEntry(config, path.section, property.slice(path.section.length + 1), undefined);
  }
  const { [path.member]: _, ...rest } = entryOf(config, path.section, path.name) ?? {};
  return setEntry(config, path.section, path.name, rest);
}
