/** Who caused a change. */
export interface Actor {
  type: 'user' | 'apiKey' | 'automation' | 'system'
  id: string | null
  name: string
}

/** What the one who asks may do. */
export interface Permissions {
  admin: boolean
  /** User actions of all its groups together. */
  actions: ReadonlySet<string>
  groupIds: readonly string[]
  /** Apps it is restricted to; null is every app of the organization. */
  appIds: ReadonlySet<string> | null
}

/** Whatever happens happens in one organization. */
export interface Tenant {
  id: string
  name: string
  requireIfMatch: boolean
  /** The number of its changes when a request was let in: answers kept of it are true then. */
  changes?: string
}

/** Who asks: in which organization, as whom, and with what permissions. */
export interface Principal {
  organization: Tenant
  actor: Actor
  permissions: Permissions
}

/** What the service itself may do when no key asks: everything, in one organization. */
export const unrestricted: Permissions = {
  admin: true,
  actions: new Set(),
  groupIds: [],
  appIds: null,
}

/** Where organizations are found by their ids; the module of organizations knows them. */
export interface Tenants {
  find(id: string): Promise<Tenant | null>
}
