import type { CheckContext } from '#configuration/checks/context'
import type { KnownProvider } from '#integrations/known_provider'
import { INTEGRATION_TYPES } from '#integrations/vocabulary'

/** One connected provider for every known integration type. */
export const PROVIDERS: KnownProvider[] = [...INTEGRATION_TYPES].map(([type, info], index) => ({
  id: `${info.vendor}:${index}`,
  alias: `The ${type} of us`,
  vendor: info.vendor,
  types: [{ type, kind: info.kind }],
}))

export const GROUPS = ['Release Pilots', 'QA', 'Engineers', '42']
export const USERS = [
  { email: 'ann@acme.example', name: 'Ann' },
  { email: 'bob@acme.example', name: null },
]

export const CONTEXT: CheckContext = {
  providers: PROVIDERS,
  integrationTypes: INTEGRATION_TYPES,
  groups: GROUPS,
  users: USERS,
  followable: [],
  traffic: new Map(),
  current: null,
}
