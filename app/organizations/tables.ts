import { flag, instant, json, optional, table, text } from '#foundation/core/database/table'
import type { Actor } from '#foundation/core/principal'
import type { UserAction } from './vocabulary.js'

/** Tenants, to which everything else belongs. */
export const organizations = table('organizations', {
  id: text(),
  name: text(),
  iconUrl: optional(text()),
  roleBasedAccessEnabled: flag(),
  addNewUsersToAllApps: flag(),
  requireIfMatch: flag(),
  createdAt: instant(),
  updatedAt: instant(),
})

/** People of an organization, `invited` until they first sign in. Addresses are in lower case. */
export const users = table('users', {
  id: text(),
  organizationId: text(),
  email: text(),
  name: optional(text()),
  status: text<'active' | 'invited'>(),
  /** May do everything in the organization. */
  admin: flag(),
  /** The account that signs in as this person; null before the first time. */
  accountId: optional(text()),
  /** The time since which the person has no rights and cannot sign in; null while they can. */
  deactivatedAt: optional(instant()),
  createdAt: instant(),
})

/** Groups of users with the user actions their members and keys may use. */
export const groups = table('groups', {
  id: text(),
  organizationId: text(),
  name: text(),
  nameKey: text(),
  isDefault: flag(),
  userActions: json<UserAction[]>(),
  createdAt: instant(),
  updatedAt: instant(),
})

/** Memberships of users in groups. */
export const groupMembers = table('group_members', {
  organizationId: text(),
  groupId: text(),
  userId: text(),
  createdAt: instant(),
})

/** Keys for the API. Only a hash of the secret is stored. */
export const apiKeys = table('api_keys', {
  id: text(),
  organizationId: text(),
  name: text(),
  secretHash: text(),
  admin: flag(),
  appRestricted: flag(),
  expiresAt: optional(instant()),
  revokedAt: optional(instant()),
  lastUsedAt: optional(instant()),
  rotatedFrom: optional(text()),
  /** The rule by which a run of CI got it. */
  trustRuleId: optional(text()),
  /** The person it acts as, with their rights; null for a key with rights of its own. */
  userId: optional(text()),
  createdAt: instant(),
})

/** The groups whose user actions a key has. */
export const apiKeyGroups = table('api_key_groups', {
  organizationId: text(),
  apiKeyId: text(),
  groupId: text(),
})

/** The apps a restricted key sees. */
export const apiKeyApps = table('api_key_apps', {
  organizationId: text(),
  apiKeyId: text(),
  appId: text(),
})

/** Acts of administration. */
export const auditEntries = table('audit_entries', {
  id: text(),
  organizationId: text(),
  action: text(),
  actor: json<Actor>(),
  subject: text(),
  data: json<Record<string, unknown>>(),
  createdAt: instant(),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    organizations: typeof organizations
    users: typeof users
    groups: typeof groups
    group_members: typeof groupMembers
    api_keys: typeof apiKeys
    api_key_groups: typeof apiKeyGroups
    api_key_apps: typeof apiKeyApps
    audit_entries: typeof auditEntries
  }
}
