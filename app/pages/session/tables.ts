import {
  flag,
  instant,
  integer,
  json,
  optional,
  table,
  text,
} from '#foundation/core/database/table'

/** Looks of pages: as the system does, or always light or dark. */
export type Theme = 'system' | 'light' | 'dark'

/** People as they sign in, each a user of any number of organizations. Addresses are in lower case. */
export const accounts = table('accounts', {
  id: text(),
  email: text(),
  name: optional(text()),
  /** Null for those who sign in with OpenID Connect alone. */
  passwordHash: optional(text()),
  oidcIssuer: optional(text()),
  oidcSubject: optional(text()),
  timeZone: optional(text()),
  theme: text<Theme>(),
  lastOrganizationId: optional(text()),
  createdAt: instant(),
  updatedAt: instant(),
})

/** Links that sign a person in once. Only a hash of the token is stored. */
export const signInLinks = table('sign_in_links', {
  id: text(),
  organizationId: text(),
  /** Null for a link that is good for whoever has it: that of the first start. */
  userId: optional(text()),
  tokenHash: text(),
  /** Makes its person an admin. */
  admin: flag(),
  /** Sets the password of an account whatever it belongs to: only the operator makes such links. */
  resets: flag(),
  createdAt: instant(),
  expiresAt: instant(),
  usedAt: optional(instant()),
})

/** Browsers that people are signed in with, each with the data of its session. */
export const signIns = table('sign_ins', {
  id: text(),
  tokenHash: text(),
  accountId: text(),
  data: json<Record<string, unknown>>(),
  /** The browser, as people call it; as it names itself where it is not known. */
  client: text(),
  address: text(),
  createdAt: instant(),
  /** Written every ten minutes at most. */
  seenAt: instant(),
  expiresAt: instant(),
})

/** The input of a form whose session had ended: the latest of each account. */
export const keptForms = table('kept_forms', {
  accountId: text(),
  id: text(),
  /** Path of the page that shows the form. */
  page: text(),
  /** Encrypted. */
  typed: text(),
  expiresAt: instant(),
})

/** Programs that ask to be signed in (RFC 8628). Only a hash of the device code is stored. */
export const deviceLogins = table('device_logins', {
  id: text(),
  deviceCodeHash: text(),
  /** Eight letters, which a person types or compares. */
  userCode: text(),
  /** The program and its machine, as the program calls them. */
  client: text(),
  address: text(),
  /** Seconds between two polls. */
  pollSeconds: integer(),
  createdAt: instant(),
  expiresAt: instant(),
  polledAt: optional(instant()),
  /** Since when it is confirmed or refused; null while nobody has decided. */
  decidedAt: optional(instant()),
  organizationId: optional(text()),
  /** The person who confirmed it; null while nobody has, and once it is refused. */
  userId: optional(text()),
  usedAt: optional(instant()),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    accounts: typeof accounts
    sign_in_links: typeof signInLinks
    sign_ins: typeof signIns
    kept_forms: typeof keptForms
    device_logins: typeof deviceLogins
  }
}
