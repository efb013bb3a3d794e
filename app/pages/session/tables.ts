import {
  flag,
  instant,
  integer,
  json,
  optional,
  table,
  text,
} from '#foundation/core/database/table'

/** Themes of pages: that of the system, or always light or dark. */
export type Theme = 'system' | 'light' | 'dark'

/** Accounts that people sign in with, in any number of organizations. E-mails are in lower case. */
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
  /** Null for a link that anybody who has it can use: that of the first start. */
  userId: optional(text()),
  tokenHash: text(),
  /** Makes its person an admin. */
  admin: flag(),
  /** Sets the password of any account: only the operator makes such links. */
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
  /** The browser as people call it; the `User-Agent` of an unknown one. */
  client: text(),
  address: text(),
  createdAt: instant(),
  /** Written every ten minutes at most. */
  seenAt: instant(),
  expiresAt: instant(),
})

/** Input of forms that were sent after their session had ended: the latest of each account. */
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
  /** When it was confirmed or refused; null while nobody has decided. */
  decidedAt: optional(instant()),
  organizationId: optional(text()),
  /** The person who confirmed it; null before that, and if it is refused. */
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
