import { ADA_ACTING, exampleNewKey, ORG, SECURITY_GROUP } from '../examples.js'
import type { TrustRuleInput } from './validators.js'

const appId = 'acme-ios'

export const exampleRuleInput = {
  appId,
  provider: 'github',
  issuer: 'https://token.actions.githubusercontent.com',
  audience: 'https://tarmac.acme.example',
  repository: 'acme/ios',
  repositoryId: '74012345',
  workflow: '.github/workflows/release.yml',
  refs: ['refs/heads/main', 'refs/heads/release/*'],
  environment: null,
  groupIds: [SECURITY_GROUP.id],
} satisfies TrustRuleInput

const { groupIds, ...rule } = exampleRuleInput

export const exampleRule = {
  id: 'trust_4mT8cXw2LdRk6NjB1sGh',
  ...rule,
  groups: [SECURITY_GROUP].filter(({ id }) => groupIds.includes(id)),
  createdAt: '2026-10-05T14:20:00.000Z',
  createdBy: ADA_ACTING,
}

export const exampleListedRule = {
  ...exampleRule,
  lastUsedAt: '2026-11-19T13:17:00.000Z' as string | null,
}

export const EXAMPLE_EXCHANGE = {
  orgId: ORG.id,
  appId,
  token: 'eyJhbGciOiJSUzI1NiJ9.eyJqdGkiOiI0MTEzIn0.c2lnbmF0dXJl',
}

export const exampleKeylessKey = {
  key: exampleNewKey.key,
  apiKeyId: exampleNewKey.id,
  appId,
  expiresAt: '2026-11-19T13:35:00.000Z',
}
