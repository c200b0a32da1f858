import type { Json, JsonObject } from '../../../meta/index.ts';
import { goValue } from '../go-values.ts';
import { isShared, type SharedField } from './versions.ts';

/** Versions as errors show them: upstream's own form, where what all versions share stands elsewhere. */
export function goVersions(versions: readonly JsonObject[]): Json {
  const own = (version: JsonObject, field: SharedField): Json => (isShared(versions, field) ? null : (version[field] ?? null));
  return versions.map((version) =>
    goValue(
      {
        name: version['name'],
        served: version['served'],
        storage: version['storage'],
        deprecated: version['deprecated'],
        deprecationWarning: version['deprecationWarning'],
        schema: own(version, 'schema'),
        subresources: own(version, 'subresources'),
        additionalPrinterColumns: own(version, 'additionalPrinterColumns'),
        selectableFields: own(version, 'selectableFields'),
      },
      {
        name: '',
        served: false,
        storage: false,
        deprecated: false,
        deprecationWarning: null,
        schema: null,
        subresources: null,
        additionalPrinterColumns: null,
        selectableFields: null,
      },
    ),
  );
}
