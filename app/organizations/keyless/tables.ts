import { instant, json, optional, table, text } from '#foundation/core/database/table'
import type { Actor } from '#foundation/core/principal'
import type { CiProvider } from './ci_run.js'

/** Rules that say which runs of CI get a key for an app, by the claims of their tokens. */
export const trustRules = table('trust_rules', {
  id: text(),
  organizationId: text(),
  appId: text(),
  provider: text<CiProvider>(),
  issuer: text(),
  audience: text(),
  repository: text(),
  repositoryId: optional(text()),
  workflow: text(),
  refs: json<string[]>(),
  environment: optional(text()),
  groupIds: json<string[]>(),
  createdBy: json<Actor>(),
  createdAt: instant(),
  updatedAt: instant(),
  lastUsedAt: optional(instant()),
})

/** Tokens that were used, until they expire: each works once, in all organizations. */
export const spentTokens = table('spent_tokens', {
  /** SHA-256 of issuer and `jti`. */
  id: text(),
  organizationId: text(),
  expiresAt: instant(),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    trust_rules: typeof trustRules
    spent_tokens: typeof spentTokens
  }
}
