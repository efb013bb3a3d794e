import { randomBytes } from 'node:crypto'
import { later, type Instant } from '#foundation/core/clock'
import { of, select } from '#foundation/core/database/statement'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import { integrationHooks } from '../tables.js'

/** How long signatures with the previous secret are accepted, in milliseconds. */
const OVERLAP_MS = 24 * 3_600_000

/** A secret that a provider signs with; `until` is null for the one that is in use. */
interface HookSecret {
  value: string
  until: Instant | null
}

/** Returns the owner of a sealed list of secrets: moved to another row it does not open. */
const ownerOf = (organizationId: string, integrationId: string) =>
  `hook:${organizationId}:${integrationId}`

const HOOK = select(
  of(integrationHooks, 'h', ['ciphertext']),
  `from integration_hooks h
   where h.organization_id = :org and h.integration_id = :integrationId`
)

/** In the form of Standard Webhooks, which any other scheme takes as a text. */
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** The secrets that are good now, newest first; none where they cannot be read. */
export function openSecrets(
  box: SecretBox,
  hook: { organizationId: string; integrationId: string; ciphertext: string },
  now: Instant
): string[] {
  const owner = ownerOf(hook.organizationId, hook.integrationId)
  const secrets = box.open<HookSecret[]>(owner, hook.ciphertext) ?? []
  return secrets.filter(({ until }) => until === null || until > now).map(({ value }) => value)
}

/**
 * The secret that a provider is to sign with, in a transaction; made where there is none.
 * @param isRotated makes another, and takes the one before for a day more
 * @throws not_found without the integration
 */
export async function hookSecret(
  scope: Scope,
  box: SecretBox,
  integrationId: string,
  isRotated = false
): Promise<string> {
  const { now, organization } = scope
  if (!(await scope.lock('integrations', integrationId))) throw refuse('not_found')
  const [row] = await scope.rows(HOOK, { integrationId })
  const owner = ownerOf(organization.id, integrationId)
  const before = row
    ? openSecrets(
        box,
        { organizationId: organization.id, integrationId, ciphertext: row.ciphertext },
        now
      )
    : []
  if (before.length > 0 && !isRotated) return before[0]
  const value = newSecret()
  const old = before.slice(0, 1).map((each) => ({ value: each, until: later(now, OVERLAP_MS) }))
  const ciphertext = box.seal(owner, [{ value, until: null }, ...old] satisfies HookSecret[])
  if (row) {
    await scope.update(integrationHooks, { integrationId }, { ciphertext, updatedAt: now })
  } else {
    await scope.insert(integrationHooks, [
      {
        integrationId,
        ciphertext,
        providerRef: null,
        ensuredAt: null,
        receivedAt: null,
        createdAt: now,
        updatedAt: now,
      },
    ])
  }
  return value
}

/** Encrypts the secrets of an organization's callbacks anew, under the first key there is. */
export async function resealHooks(scope: Scope, box: SecretBox): Promise<void> {
  const rows: { integration_id: string; ciphertext: string }[] = await scope
    .table('integration_hooks')
    .select('integration_id', 'ciphertext')
  for (const { integration_id: integrationId, ciphertext } of rows) {
    const owner = ownerOf(scope.organization.id, integrationId)
    const secrets = box.open(owner, ciphertext)
    if (secrets === null) continue
    const resealed = { ciphertext: box.seal(owner, secrets) }
    await scope.update(integrationHooks, { integrationId }, resealed)
  }
}
