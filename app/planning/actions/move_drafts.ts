import { findApp } from '#apps/queries/find_app'
import { events } from '#foundation/core/events/tables'
import { of, select } from '#foundation/core/database/statement'
import type { Instant } from '#foundation/core/clock'
import type { Actor } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import { DeleteRelease } from '#releases/actions/delete_release'
import { changeTargets } from '#releases/lifecycle/change_targets'
import type Release from '#releases/models/release'
import { lowestFirst } from '#releases/queries/version_sql'
import { releaseById } from '#releases/queries/find_release'
import { releases } from '#releases/tables'
import { beginsOn, byDate, datesOf, isSlot, type Cadence } from '../calendar/cadence.js'
import type { LocalDate } from '../calendar/local_time.js'
import { redrafted, type FormerCadence } from '../calendar/redraft.js'
import type { Slot } from '../calendar/schedule.js'
import type { DraftChange } from '../entities.js'
import { appPlan, changeAppPlan, changeReleasePlan } from '../plans/plans.js'
import { scheduleFacts, type RunningPlan } from '../queries/schedule_facts.js'
import { releasePlans } from '../tables.js'

/** Changes of drafted releases by a change of their cadence. */
export interface DraftChanges {
  moved: DraftChange[]
  removed: DraftChange[]
  kept: DraftChange[]
}

export const NO_DRAFTS: DraftChanges = { moved: [], removed: [], kept: [] }

const CADENCE: Actor = { type: 'automation', id: null, name: 'scheduleCadence' }

const DRAFTS = select(
  { ...of(releases, 'r', ['id']), ...of(releasePlans, 'p', ['slot']) },
  `from releases r join release_plans p on p.release_id = r.id
  where r.organization_id = :org and r.app_id = :appId and p.slot is not null
    and r.kicked_off_at is null and r.status in ('upcoming', 'active')
    and r.target_kickoff_at > :now
  ${lowestFirst('r')}`
)
const EVENTS = select(
  of(events, 'e', ['releaseId', 'type', 'actor', 'data']),
  'from events e where e.organization_id = :org and e.release_id in json(:ids)'
)

/** Types of timeline entries that record consequences of a change, not an edit of the release. */
const DERIVED: ReadonlySet<string> = new Set([
  'release.regressionStatusUpdated',
  'release.stepsReadyToSubmit',
  'release.stepsReadyToRelease',
  'releaseStep.statusChanged',
  'checklistItem.added',
  'checklistItem.updated',
  'checklistItem.removed',
  'app.configurationChanged',
])

/**
 * Moves an app's drafts whose kickoff lies ahead to the dates of its changed cadence. Drafts that
 * nobody edited take its trains in order; a draft that gets no train is removed. A draft stays if
 * it was edited by hand, or if its train has already left by the changed cadence.
 */
export class MoveDrafts {
  constructor(private readonly scope: Scope) {}

  /** @param firstDay the day of the first train to come; the changed cadence is already stored */
  async handle(appId: string, former: FormerCadence, firstDay: LocalDate): Promise<DraftChanges> {
    const { scope } = this
    const drafts = await scope.rows(DRAFTS, { appId, now: scope.now })
    const { cadence } = await appPlan(scope, appId)
    const staying = await this.#edited(drafts.map(({ id }) => id))
    for (const { id, slot } of drafts) if (hasLeft(cadence!, slot!, scope.now)) staying.add(id)
    const untouched = drafts.filter(({ id }) => !staying.has(id))
    const changes: DraftChanges = { moved: [], removed: [], kept: [] }
    for (const { id } of drafts) {
      if (staying.has(id)) changes.kept.push(changeOf(await releaseById(scope, appId, id)))
    }
    if (untouched.length === 0) return changes
    const { trains, undecidedFrom } = await this.#trains(appId, former, firstDay, untouched)
    await changeAppPlan(scope, appId, { undecidedFrom })
    // Surplus drafts are removed first: the remaining ones may take over their days.
    for (const { id } of untouched.slice(trains.length)) {
      const release = await releaseById(scope, appId, id)
      changes.removed.push(changeOf(release))
      await new DeleteRelease(scope).handle(release)
    }
    for (const [index, train] of trains.entries()) {
      const release = await releaseById(scope, appId, untouched[index].id)
      const { targetKickoffAt: previousTargetKickoffAt } = release
      if (await this.#follow(release, train)) {
        changes.moved.push({ ...changeOf(release), previousTargetKickoffAt })
      }
    }
    return changes
  }

  async #trains(
    appId: string,
    former: FormerCadence,
    firstDay: LocalDate,
    untouched: readonly { slot: LocalDate | null }[]
  ) {
    const { scope } = this
    const plan = { ...(await appPlan(scope, appId)), undecidedFrom: firstDay } as RunningPlan
    const facts = await scheduleFacts(scope, await findApp(scope, appId), plan)
    const days = new Set(untouched.flatMap(({ slot }) => slot ?? []))
    return redrafted(facts, former, days, scope.now)
  }

  /** @returns whether its dates changed */
  async #follow(release: Release, { date, dates }: Slot): Promise<boolean> {
    const { scope } = this
    await changeReleasePlan(scope, release, { slot: date })
    const targets = {
      targetKickoffAt: dates.kickoffAt,
      targetSubmitAt: dates.submitAt,
      targetReleaseAt: dates.releaseAt,
    }
    const names = Object.keys(targets) as (keyof typeof targets)[]
    if (names.every((name) => targets[name] === release[name])) return false
    await changeTargets(scope, release, targets, CADENCE)
    return true
  }

  /** Returns the drafts that somebody edited, according to their timelines. */
  async #edited(all: readonly string[]): Promise<Set<string>> {
    const ids = JSON.stringify(all)
    const entries = await this.scope.rows(EVENTS, { ids })
    const byHand = entries.filter(
      ({ type, actor, data }) =>
        (actor.type === 'user' || actor.type === 'apiKey') &&
        data.isDerived !== true &&
        (!DERIVED.has(type) || hasOneOff(data))
    )
    return new Set(byHand.map(({ releaseId }) => releaseId!))
  }
}

/** Returns whether an entry is about a one-off item of a release. */
const hasOneOff = ({ items }: Record<string, unknown>) =>
  Array.isArray(items) && items.some((item: { oneOff?: boolean }) => item.oneOff === true)

/** Returns whether a day has a train of the cadence whose kickoff has passed. */
const hasLeft = (cadence: Cadence, day: LocalDate, now: Instant) =>
  isSlot(cadence, day) &&
  datesOf(cadence, beginsOn(byDate(cadence.exceptions), day)).kickoffAt < now

const changeOf = ({ publicId, version, targetKickoffAt }: Release): DraftChange => ({
  releaseId: publicId,
  version,
  targetKickoffAt,
})
