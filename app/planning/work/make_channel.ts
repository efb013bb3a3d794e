import { RETRIES } from '#foundation/jobs/retry'
import { MINUTE } from '#foundation/core/durations'
import { onCommand, type Outcome } from '#foundation/jobs/handlers'
import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { askProvider } from '#integrations/ask_provider'
import { outcomeOfCall } from '#integrations/outcome_of_call'
import { users } from '#organizations/tables'
import { feature } from '#plugin-kit/capabilities/map'
import { releaseStillThere } from '#releases/queries/find_release'
import type Release from '#releases/models/release'
import { readReleaseById } from '#releases/queries/read_release'
import { reasonNotToAct } from '#releases/queries/reason_not_to_act'
import { channelKind } from '../work_kinds.js'
import { changeReleasePlan } from '../plans/plans.js'
import { finishFollowUp, isUnderWay } from './follow_ups.js'
import { blocked, done, skipped, type Outcome as Ended } from './outcomes.js'

/** Maximum number of people invited to a channel. Each costs a call to the chat. */
const MAX_MEMBERS = 30

const APP_USERS = select(
  of(users, 'u', ['email']),
  `from app_users a join users u on u.organization_id = a.organization_id and u.id = a.user_id
  where a.organization_id = :org and a.app_id = :appId and u.deactivated_at is null
  order by a.position`
)

/**
 * Returns the e-mail addresses of a channel's members: the pilot of the release, and the users of
 * its app.
 */
async function membersOf(scope: Scope, appId: string, releaseId: string): Promise<string[]> {
  const { pilot } = await readReleaseById(scope, appId, releaseId)
  const emails = (await scope.rows(APP_USERS, { appId })).map(({ email }) => email)
  return [...new Set([...(pilot ? [pilot.email] : []), ...emails])].slice(0, MAX_MEMBERS)
}

/** The channel, or why the chat was not called. */
type ChannelResult = { id: string } | { unasked: string }

/** Creates the chat channel of a release, and invites its pilot and the users of its app. */
export const makeChannel = onCommand(channelKind, {
  actor: 'createChatChannel',
  isAutomation: true,
  lease: 4 * MINUTE,
  retry: RETRIES.hours,
  // A retry finds the channel by its name.
  isRepeatable: true,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  call({ subject, payload, idempotencyKey }, { scope, signal }): Promise<Outcome<ChannelResult>> {
    const { appId, integrationId, connectionId, name } = payload
    const integration = { id: integrationId, connectionId }
    return outcomeOfCall(async (): Promise<ChannelResult> => {
      const target = { appId, releaseId: subject }
      const unasked = await reasonNotToAct(scope, target, scope.actor, { mustBeOpen: true })
      if (unasked !== null) return { unasked }
      const emails = await membersOf(scope, appId, subject)
      return askProvider(scope, { integration, kind: 'chat', signal }, async (chat) => {
        const userIds: string[] = []
        for (const email of emails) {
          const user = await chat.findUserByEmail?.(email)
          if (user) userIds.push(user.id)
        }
        const { id } = await feature(chat, 'ensureChannel')(name, userIds, { idempotencyKey })
        return { id }
      })
    })
  },
  async storeResult(
    scope,
    { subject, payload: { appId, integrationId, name } },
    result: ChannelResult
  ) {
    const release = await releaseStillThere(scope, appId, subject)
    if (!release) return
    if ('unasked' in result) return end(scope, release, skipped('held', result.unasked))
    const { id } = result
    await changeReleasePlan(scope, release, { channel: { integrationId, id, name } })
    return end(scope, release, done(name, { channelId: id, channelName: name }))
  },
  async afterLast(scope, { subject, payload: { appId, name } }, reason) {
    const release = await releaseStillThere(scope, appId, subject)
    if (!release) return
    await end(scope, release, blocked(`the channel ${name} could not be created: ${reason}`))
  },
})

async function end(scope: Scope, release: Release, outcome: Ended): Promise<void> {
  if (!(await isUnderWay(scope, release, 'createChatChannel'))) return
  await finishFollowUp(scope, release, 'createChatChannel', outcome)
}
