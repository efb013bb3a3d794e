import { RETRIES } from '#foundation/jobs/retry'
import { onObservation } from '#foundation/jobs/handlers'
import { askProvider } from '#integrations/ask_provider'
import { isReleaseThere, releaseStillThere } from '#releases/queries/find_release'
import { readReleaseById } from '#releases/queries/read_release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { MINUTE } from '#foundation/core/durations'
import { flagSource, flagsOf, seenAt } from '../flags/ask_flags.js'
import { differingFlags, seenFlags } from '../flags/flag_changes.js'
import { flagWatchOf, isRolledOut, storeFlags, type FlagWatch } from '../flags/watch_flags.js'
import { flagWatches, type SeenAt } from '../tables.js'
import type { FlagChangeKind } from '../vocabulary.js'
import { flagsKind } from '../work_kinds.js'

const DONE: Record<FlagChangeKind, string> = {
  switchedOn: 'was switched on',
  switchedOff: 'was switched off',
  changed: 'gives something else, or to others',
  added: 'now exists',
  removed: 'no longer exists',
}

type Kept = Pick<FlagWatch, 'seen' | 'source'>

interface Look {
  seen: NonNullable<FlagWatch['seen']>
  source: SeenAt
  /** The stored state when it was read: if it differs by now, it is read again. */
  was: Kept
}

/** Polls flags while a release is rolled out, and records changes made at their provider. */
export const observeFlags = onObservation(flagsKind, {
  actor: 'experimentation',
  lease: 2 * MINUTE,
  every: { least: 10 * MINUTE, most: 10 * MINUTE },
  retry: RETRIES.ofPoll,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  /** Polls the flags; null if there is nothing to poll any more. */
  async poll({ subject, payload: { appId } }, { scope, signal }): Promise<Look | null> {
    if (!(await isReleaseThere(scope, appId, subject))) return null
    const { release } = await readReleaseById(scope, appId, subject)
    const source = await flagSource(scope, appId)
    const watch = await flagWatchOf(scope, subject)
    if (!isRolledOut(release) || !source || !watch) return null
    const requested = { integration: source, kind: 'experimentation', signal } as const
    const flags = await askProvider(scope, requested, (experimentation) =>
      flagsOf(experimentation, source.place, release.version)
    )
    return { seen: seenFlags(flags), source: seenAt(source), was: kept(watch) }
  },
  async store(scope, { subject, payload }, observation) {
    const release = await releaseStillThere(scope, payload.appId, subject)
    const watch = release && (await flagWatchOf(scope, subject))
    if (!release || !watch) return 'over'
    if (!observation || !isRolledOut(release)) {
      await scope.update(flagWatches, { releaseId: subject }, { isOn: false })
      return 'over'
    }
    if (!isSame(observation.was, kept(watch))) return 'changed'
    // Flags of another place are other flags: the first observation there is only the starting
    // point.
    const isElsewhere = watch.source !== null && !isSame(watch.source, observation.source)
    const before = isElsewhere ? null : watch.seen
    const differing = before === null ? [] : differingFlags(before, observation.seen)
    if (differing.length === 0 && before !== null && watch.source !== null) return 'unchanged'
    const changes = differing.map((each) => ({ ...each, at: scope.now, by: null }))
    await storeFlags(scope, watch, observation, changes)
    for (const { key, name, what } of differing) {
      recordReleaseEvent(scope, release, {
        type: 'featureFlag.changed',
        title: `The flag ${key} ${DONE[what]}`.slice(0, 1000),
        data: { flag: { key, name }, what },
        payload: null,
      })
    }
    return 'changed'
  },
})

const kept = ({ seen, source }: FlagWatch): Kept => ({ seen, source })

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
