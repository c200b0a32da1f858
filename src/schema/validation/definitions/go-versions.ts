import type { Json, JsonObject } from '../../../meta/index.ts';
import type { apiextensionsv1 } from '../../api/index.ts';
import type { Decoded } from '../decoded.ts';
import { toGoValue } from '../go-values.ts';
import { isSharedField, type SharedField } from './versions.ts';

/** Versions in upstream's internal form, for errors; fields common to all versions are moved elsewhere. */
export function toGoVersions(versions: readonly Decoded<apiextensionsv1.CustomResourceDefinitionVersion>[]): Json {
  const own = (version: JsonObject, field: SharedField): Json => (isSharedField(versions, field) ? null : (version[field] ?? null));
  return versions.map((version) =>
    toGoValue(
      {
        name: version.name,
        served: version.served,
        storage: version.storage,
        deprecated: version.deprecated,
        deprecationWarning: version.deprecationWarning,
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
