import { INTEGRATION_TYPES, type IntegrationTypeInfo } from '#integrations/vocabulary'
import type { DataFields, Kind } from '#plugin-kit/kinds'
import type { AppConfiguration, IntegrationData } from '../model.js'
import type { Path } from './path.js'

/** What a provider's plugin finds wrong with `data`; the path counts from `data`. */
export interface DataProblem {
  path: Path
  message: string
}

/** One integration type that a connected provider offers. */
export interface ProviderType {
  type: string
  kind: Kind
  /** The plugin's own fields; the specification's for the kind where it has none. */
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
  types: ProviderType[]
}

export interface KnownUser {
  email: string
  name: string | null
}

/** What a file is held against. */
export interface CheckContext {
  providers: readonly KnownProvider[]
  integrationTypes: ReadonlyMap<string, IntegrationTypeInfo>
  /** Names of the organization's groups. */
  groups: readonly string[]
  users: readonly KnownUser[]
  /** The app that the file changes or adds to; null for a new one. */
  current: AppConfiguration | null
}

/** An organization without providers, groups or users. */
export const EMPTY_CONTEXT: CheckContext = {
  providers: [],
  integrationTypes: INTEGRATION_TYPES,
  groups: [],
  users: [],
  current: null,
}
