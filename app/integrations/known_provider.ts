import { checkValue } from '#plugin-kit/check_value'
import { dataFieldsOf } from '#plugin-kit/check_manifest'
import { specificationKind, type DataFields, type Kind } from '#plugin-kit/kinds'
import type { CapabilityDeclaration, PluginManifest, PluginPlatform } from '#plugin-kit/manifest'
import type { CapabilityKind } from '#plugin-kit/kinds'
import { capabilitiesOf } from './plugins/plugin_registry.js'
import type { IntegrationData } from './settings.js'

/** A fault that a provider's plugin found in `data`; the path is relative to it. */
interface DataProblem {
  path: (string | number)[]
  message: string
}

/** One integration type that a connected provider offers. */
export interface ProviderType {
  type: string
  kind: Kind
  /** The platforms of apps that it is for; absent for all. */
  platforms?: readonly PluginPlatform[]
  /** The plugin's own fields, or those that the specification has for the kind. */
  fields?: DataFields
  check?: (data: IntegrationData) => DataProblem[]
}

/** A provider that the organization has connected. */
export interface KnownProvider {
  /** `github:111222333` */
  id: string
  /** Free text. */
  alias: string | null
  vendor: string
  /** Empty while its plugin does not run. */
  types: ProviderType[]
}

/** Returns the integration types of a plugin's provider. */
export function providerTypes(manifest: PluginManifest): ProviderType[] {
  return capabilitiesOf(manifest).map(typeOf)
}

function typeOf({
  kind,
  type,
  platforms,
  dataSchema,
}: CapabilityDeclaration & { kind: CapabilityKind }): ProviderType {
  return {
    type,
    kind: specificationKind(kind),
    ...(platforms && { platforms }),
    fields: dataFieldsOf(kind, dataSchema),
    check: (data) => (dataSchema ? checkValue(dataSchema, data) : []),
  }
}
