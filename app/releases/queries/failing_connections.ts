import type { Scope } from '#foundation/core/scope'
import { failingConnections } from '#integrations/queries/connection_failures'
import { endingConnections } from '#integrations/queries/ending_connections'
import type { Kind } from '#plugin-kit/kinds'
import type { ReleaseStepType } from '#workflow/vocabulary'
import { holderOf, type Condition } from '../engine/conditions.js'
import type { Expected } from '../extensions.js'

/** The kinds of integrations that a step depends on. */
const KINDS_OF: Readonly<Record<ReleaseStepType, readonly Kind[]>> = {
  kickoff: ['versionControl'],
  featureReadiness: ['issueTracking', 'versionControl'],
  translations: ['localization'],
  rollbackBuild: ['ci', 'appStore'],
  releaseCandidate: ['ci', 'appStore'],
  regressionTesting: ['testManagement'],
  betaTesting: ['betaTesting', 'appStore'],
  screenshots: ['appStore'],
  metadata: ['appStore'],
  approvals: [],
  submission: ['appStore'],
  storeReview: ['appStore'],
  takeoff: ['appStore'],
  rollout: ['appStore'],
}

/**
 * Returns a function that gives the conditions of a type of step: the failing connections of the
 * app that steps of the type depend on.
 */
export async function connectionConditions(
  scope: Scope,
  appId: string
): Promise<(type: ReleaseStepType) => Condition[]> {
  const failing = await failingConnections(scope, appId)
  return (type) =>
    failing
      .filter(({ kinds }) => KINDS_OF[type].some((kind) => kinds.has(kind)))
      .map(({ id, name, message, who }) => ({
        code: 'connection_failing',
        message,
        subject: { type: 'connection', id, name },
        who: who
          ? [{ type: 'providerRole', name: `${who} of ${name}` }]
          : [holderOf('AddRemoveEditIntegration'), { type: 'provider', name }],
      }))
}

/** Returns when credentials of an app expire within the next 30 days. */
export async function endsOfCredentials(scope: Scope, appId: string): Promise<Expected[]> {
  const ending = await endingConnections(scope, appId)
  return ending
    .filter(({ endsAt }) => endsAt > scope.now)
    .map(({ endsAt, message }) => ({
      ...{ at: endsAt, what: 'credentialsEnd', message },
      who: [holderOf('AddRemoveEditIntegration')],
    }))
}
