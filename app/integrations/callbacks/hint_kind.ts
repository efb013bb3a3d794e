import { RETRIES } from '#foundation/jobs/retry'
import { createHash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { onObservation } from '#foundation/jobs/handlers'
import { observationKind } from '#foundation/core/jobs/kinds'
import { MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import type { Kind } from '#plugin-kit/kinds'
import { integrationObservers, type Hint } from './observers.js'

/**
 * A poll of something that a provider reported as changed. Repeated reports of one subject share a
 * job.
 */
const hintKind = observationKind(
  'integration.hint',
  Type.Object({
    appId: Type.String(),
    integrationId: Type.String(),
    kind: Type.String(),
    type: Type.String(),
    subject: Type.String(),
  })
)

/** Plans a poll of the subject of a hint. */
export async function planHint(scope: Scope, hint: Hint): Promise<void> {
  const { integrationId, type, subject } = hint
  const digest = createHash('sha256')
    .update(JSON.stringify([type, subject]))
    .digest('base64url')
  await scope.jobs.plan(hintKind, {
    subject: `${integrationId}:${digest}`,
    payload: { ...hint },
  })
}

/** Tells the observers of integrations to poll now. */
export const followHints = onObservation(hintKind, {
  actor: 'integrations',
  lease: MINUTE,
  every: { least: MINUTE, most: MINUTE },
  retry: RETRIES.atOnce,
  poll: async () => null,
  async store(scope, { payload }) {
    const hint = { ...payload, kind: payload.kind as Kind }
    for (const { hinted } of integrationObservers.all) await hinted?.(scope, hint)
    return 'over'
  },
})
