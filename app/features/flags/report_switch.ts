import { onCommand, type Outcome } from '#foundation/jobs/handlers'
import type { PayloadOf } from '#foundation/core/jobs/kinds'
import { HOUR, MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { askProvider } from '#integrations/ask_provider'
import { outcomeOfCall } from '#integrations/outcome_of_call'
import type { Flag } from '#plugin-kit/capabilities/monitoring'
import { releaseStillThere } from '#releases/queries/find_release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { seenFlag } from './flag_changes.js'
import { switchKind } from './switch_kind.js'
import { flagWatchOf, storeFlags } from './watch_flags.js'

type Switch = PayloadOf<typeof switchKind>

/** The event that reports a switch. */
export const SWITCHED = 'featureFlag.switched'

export const switchTitle = (key: string, to: boolean) =>
  `The flag ${key} was switched ${onOrOff(to)}`

/** Records in the timeline of a release, and beside its health, that a flag was switched. */
export async function recordSwitch(scope: Scope, wanted: Switch, now: Flag): Promise<void> {
  const { appId, releaseId, environmentId, flag, to } = wanted
  const release = await releaseStillThere(scope, appId, releaseId)
  if (!release) return
  recordReleaseEvent(scope, release, {
    type: SWITCHED,
    title: switchTitle(flag.key, to),
    data: { flag, environmentId, from: !to, to },
    payload: null,
  })
  const watch = await flagWatchOf(scope, releaseId)
  if (!watch?.isOn) return
  const { key, name } = flag
  const { source } = watch
  // In another place, the same key is another flag.
  const isSamePlace =
    source === null ||
    (source.integrationId === wanted.integrationId &&
      source.connectionId === wanted.connectionId &&
      source.environmentId === environmentId)
  const seen = watch.seen && isSamePlace ? { ...watch.seen, [key]: seenFlag(now) } : watch.seen
  const what = to ? 'switchedOn' : 'switchedOff'
  const change = { key, name, what, at: scope.now, by: scope.actor } as const
  await storeFlags(scope, watch, { seen, source }, [change])
}

/**
 * Polls the result of a switch whose answer was never recorded, as when the process was killed. It
 * does not repeat the switch: the requester got no confirmation.
 */
export const reportSwitch = onCommand(switchKind, {
  actor: 'experimentation',
  onBehalfOf: ({ payload }) => payload.askedBy,
  lease: 2 * MINUTE,
  retry: { steps: [MINUTE, 10 * MINUTE, HOUR, 6 * HOUR] },
  // Reading does no harm.
  isRepeatable: true,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  call({ payload }, { scope, signal }): Promise<Outcome<Flag | null>> {
    const { integrationId: id, connectionId, environmentId, flag } = payload
    const requested = {
      integration: { id, connectionId },
      kind: 'experimentation',
      signal,
    } as const
    return outcomeOfCall(() =>
      askProvider(scope, requested, (flags) => flags.getFlag(environmentId, flag.key))
    )
  },
  async storeResult(scope, { payload }, now: Flag | null) {
    if (now?.enabled === payload.to) await recordSwitch(scope, payload, now)
  },
  async afterLast(scope, { payload }, reason) {
    const { appId, releaseId, flag, to } = payload
    const release = await releaseStillThere(scope, appId, releaseId)
    if (!release) return
    const what = `It is not known whether the flag ${flag.key} was switched ${onOrOff(to)}`
    recordReleaseEvent(scope, release, {
      type: 'featureFlag.switchUnknown',
      title: `${what}: ${reason}`.slice(0, 1000),
      data: { flag, to },
      payload: null,
    })
  },
})

const onOrOff = (enabled: boolean) => (enabled ? 'on' : 'off')
