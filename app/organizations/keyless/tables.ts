import { instant, json, optional, table, text } from '#foundation/core/database/table'
import type { Actor } from '#foundation/core/principal'
import type { CiProvider } from './ci_run.js'

/** Runs of CI that get a key for an app, by what the provider of the CI says of them. */
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

/** Tokens that were used, each once in all organizations, until nobody would take them. */
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
