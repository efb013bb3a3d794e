/** The cause of a change. */
export interface Actor {
  type: 'user' | 'apiKey' | 'automation' | 'system'
  id: string | null
  name: string
}

/** The permissions of the requester. */
export interface Permissions {
  admin: boolean
  /** The user actions of all groups together. */
  actions: ReadonlySet<string>
  groupIds: readonly string[]
  /** The apps that the requester is restricted to; null for every app of the organization. */
  appIds: ReadonlySet<string> | null
}

/** The organization that everything belongs to. */
export interface Tenant {
  id: string
  name: string
  requireIfMatch: boolean
  /** The change number when the request was admitted; answers cached under it are current. */
  changes?: string
}

/** The requester: organization, actor, permissions. */
export interface Principal {
  organization: Tenant
  actor: Actor
  permissions: Permissions
}

/** The permissions of the service itself, without a key: everything in one organization. */
export const unrestricted: Permissions = {
  admin: true,
  actions: new Set(),
  groupIds: [],
  appIds: null,
}

/** Finds organizations by id; the module of organizations implements it. */
export interface Tenants {
  find(id: string): Promise<Tenant | null>
}
