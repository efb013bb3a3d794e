import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { recordAppEvent } from '#apps/record_app_event'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import { findPilot } from '#releases/queries/find_pilot'
import {
  beginsOn,
  byDate,
  datesOf,
  firstSlot,
  slotAfter,
  type Cadence,
  type ExceptionsByDate,
} from '../calendar/cadence.js'
import { checkCadence } from '../cadence/check_cadence.js'
import { checkFollowed, followedCadence } from '../cadence/check_followed.js'
import { daysAfter, dateIn, type LocalDate } from '../calendar/local_time.js'
import { planDrafting } from '../cadence/plan_drafting.js'
import { MoveDrafts, NO_DRAFTS, type DraftChanges } from './move_drafts.js'
import { appPlan, changeAppPlan, type AppPlan } from '../plans/plans.js'
import { updateFollowers } from '../queries/followers.js'
import type { SetCadenceInput } from '../validators/planning_input.js'

/** The tries take two seconds in all. */
const MAX_TRIES = 21
/** Milliseconds. */
const BETWEEN_TRIES = 100

type ExceptionInput = NonNullable<SetCadenceInput['exceptions']>[number]

/** Changes the cadence of an app; absent members stay as they are. */
export class SetCadence {
  constructor(private readonly scope: Scope) {}

  /** @returns the changes of existing drafts. @throws invalid_input, not_ready */
  async handle(appId: string, input: SetCadenceInput): Promise<DraftChanges> {
    const errors = new InputErrors()
    const followsAppId = await this.#leaderOf(appId, input)
    if (followsAppId !== null) await this.#lockLeader(appId, followsAppId)
    const cadence = await this.check(appId, input, errors)
    errors.throwIfAny()
    return this.store(appId, cadence!, followsAppId)
  }

  /**
   * Brings the cadence of an app in line with that of the app it follows. If the followed app has
   * no cadence any more or is gone, the app keeps its present cadence as its own.
   */
  async follow(appId: string): Promise<void> {
    const { scope } = this
    const { cadence, followsAppId } = await appPlan(scope, appId)
    if (followsAppId === null || cadence === null) return
    const theirs = followedCadence(await appPlan(scope, followsAppId), cadence)
    await this.store(appId, theirs ?? cadence, theirs && followsAppId)
  }

  /**
   * Locks the followed app, so that its cadence cannot change until this one is stored.
   * Transactions wait for the locks of several apps in the order of their ids, and the following
   * app is locked already. So a leader with a lower id is polled instead of awaited; other writes
   * usually end soon.
   * @throws not_ready if somebody else holds its lock for longer
   */
  async #lockLeader(appId: string, followsAppId: string): Promise<void> {
    const { scope } = this
    if (appId <= followsAppId) return void (await scope.lock('apps', followsAppId))
    for (let attempt = 1; !(await scope.lockIfFree('apps', followsAppId)); attempt++) {
      const exists = await scope.table('apps').where('id', followsAppId).select('id').first()
      if (!exists) return
      if (attempt === MAX_TRIES)
        throw refuse('not_ready', {
          detail: `${followsAppId} is being changed right now.`,
          retryAfter: 1,
        })
      await pause(BETWEEN_TRIES)
    }
  }

  /**
   * Returns the app whose cadence is followed once the input is applied; null for a cadence of its
   * own.
   */
  async #leaderOf(appId: string, { followsAppId }: PartiallyValid<SetCadenceInput>) {
    return followsAppId === undefined
      ? (await appPlan(this.scope, appId)).followsAppId
      : followsAppId
  }

  /**
   * Collects the errors of an input beyond its shape, and returns the resulting cadence if there
   * are none.
   */
  async check(
    appId: string,
    input: PartiallyValid<SetCadenceInput>,
    errors: InputErrors
  ): Promise<Cadence | undefined> {
    const plan = await appPlan(this.scope, appId)
    const followsAppId = await this.#leaderOf(appId, input)
    if (followsAppId !== null) {
      return checkFollowed(this.scope, plan, { ...input, followsAppId }, errors)
    }
    const { cadence: before } = plan
    const named = namedIn(before)
    const exceptions = await this.#exceptions(input.exceptions, named, errors)
    const absences = await this.#absences(input.absences, named, errors)
    const [targets] = input.targets ?? []
    const given = {
      ...input,
      targets: targets && {
        kickoff: targets.kickoff,
        submit: targets.submit ?? null,
        release: targets.release ?? null,
      },
      exceptions,
      absences,
    }
    checkDecided(plan, exceptions ?? [], errors)
    const cadence = checkCadence(before, given as Partial<Cadence>, errors)
    if (cadence && exceptions) this.#checkRemovedExceptions(plan, cadence, errors)
    return cadence
  }

  /**
   * Checks that no exception is removed from a decided train that is to come: removing it would
   * have no effect. Exceptions of trains that have left may be removed, and a cadence with other
   * dates has other trains.
   */
  #checkRemovedExceptions(
    { cadence: before, undecidedFrom }: AppPlan,
    after: Cadence,
    errors: InputErrors
  ) {
    if (before === null || undecidedFrom === null || hasOtherDates(before, after)) return
    const [known, kept] = [byDate(before.exceptions), byDate(after.exceptions)]
    for (const { date } of known.values()) {
      if (date >= undecidedFrom || kept.has(date) || this.#hasPassed(before, known, date)) continue
      errors.add({ pointer: '/exceptions', code: 'decided', message: decidedText(date) })
    }
  }

  #hasPassed(cadence: Cadence, exceptions: ExceptionsByDate, slot: LocalDate): boolean {
    return datesOf(cadence, beginsOn(exceptions, slot)).kickoffAt < this.scope.now
  }

  /**
   * Stores a valid cadence, moves drafts to its dates and plans its next train. An unchanged
   * cadence writes nothing.
   * @param followsAppId the app whose cadence it is; null for a cadence of its own
   * @returns the changes of existing drafts
   */
  async store(
    appId: string,
    cadence: Cadence | null,
    followsAppId: string | null = null
  ): Promise<DraftChanges> {
    const { scope } = this
    const plan = await appPlan(scope, appId)
    const isSame = JSON.stringify(cadence) === JSON.stringify(plan.cadence)
    if (isSame && followsAppId === plan.followsAppId) return NO_DRAFTS
    const { cadence: from, undecidedFrom: decidedUntil } = plan
    const firstDay = cadence && this.#firstToCome(cadence)
    // Earlier decisions remain while there is no cadence.
    const undecidedFrom = firstDay ? latest(decidedUntil, firstDay) : decidedUntil
    await changeAppPlan(scope, appId, { cadence, undecidedFrom, followsAppId })
    recordAppEvent(scope, appId, {
      type: 'app.scheduleCadenceChanged',
      title: titleOf(cadence, followsAppId),
      data: { from, to: cadence, followsAppId },
    })
    const drafts =
      cadence && from && firstDay && decidedUntil && hasOtherDates(from, cadence)
        ? await new MoveDrafts(scope).handle(
            appId,
            { cadence: from, undecidedFrom: decidedUntil },
            firstDay
          )
        : NO_DRAFTS
    await planDrafting(scope, appId)
    await updateFollowers(scope, appId)
    return drafts
  }

  /** Returns the day of the first train whose kickoff has not passed. */
  #firstToCome(cadence: Cadence): LocalDate {
    const { timezone, targets } = cadence
    const today = dateIn(timezone, this.scope.now)
    const exceptions = byDate(cadence.exceptions)
    const hasPassed = (slot: LocalDate) => this.#hasPassed(cadence, exceptions, slot)
    // A train that was moved may be still to come although its own day has passed.
    const moved = [...exceptions.keys()].filter((date) => !hasPassed(date))
    const first = firstSlot(cadence, daysAfter(today, -targets.kickoff.dayOffset))
    let [slot] = [first, ...moved].sort() as [LocalDate]
    while (hasPassed(slot)) slot = slotAfter(cadence, slot)
    return slot
  }

  async #exceptions(
    given: PartiallyValid<SetCadenceInput>['exceptions'],
    named: ReadonlySet<string>,
    errors: InputErrors
  ): Promise<Cadence['exceptions'] | undefined> {
    if (!given || !errors.isWellFormed('/exceptions')) return undefined
    const exceptions: Cadence['exceptions'] = []
    for (const [index, each] of (given as ExceptionInput[]).entries()) {
      const { date, skipped = false, movedTo = null, releasePilotId } = each
      const pointer = `/exceptions/${index}/releasePilotId`
      const pilotId = releasePilotId
        ? await this.#user(releasePilotId, named, pointer, errors)
        : null
      exceptions.push({ date, skipped, movedTo, pilotId })
      await yieldToOthers()
    }
    return exceptions
  }

  async #absences(
    given: PartiallyValid<SetCadenceInput>['absences'],
    named: ReadonlySet<string>,
    errors: InputErrors
  ): Promise<Cadence['absences'] | undefined> {
    if (!given || !errors.isWellFormed('/absences')) return undefined
    const absences: Cadence['absences'] = []
    for (const [index, each] of (given as NonNullable<SetCadenceInput['absences']>).entries()) {
      const userId = await this.#user(each.userId, named, `/absences/${index}/userId`, errors)
      absences.push({ userId: userId ?? '', from: each.from, to: each.to })
      await yieldToOthers()
    }
    return absences
  }

  /**
   * Returns the id of a user. A user whom the cadence already names is accepted even after leaving:
   * clients may send back what they read.
   */
  async #user(
    given: string,
    named: ReadonlySet<string>,
    pointer: string,
    errors: InputErrors
  ): Promise<string | null> {
    if (named.has(given)) return given
    const pilotErrors = new InputErrors()
    const user = await pilotErrors.collect(() => findPilot(this.scope, given))
    for (const place of pilotErrors.places) errors.add({ ...place, pointer })
    return user ?? null
  }
}

const latest = (one: LocalDate | null, other: LocalDate) =>
  one !== null && one > other ? one : other

/** The members that determine the dates of trains. */
const DATES = ['timezone', 'startDate', 'intervalWeeks', 'targets'] as const

const hasOtherDates = (one: Cadence, other: Cadence) =>
  DATES.some((name) => !isDeepStrictEqual(one[name], other[name]))

/** Returns the ids of the users whom a cadence names. */
const namedIn = (cadence: Cadence | null) =>
  new Set([
    ...(cadence?.exceptions.flatMap(({ pilotId }) => pilotId ?? []) ?? []),
    ...(cadence?.absences.map(({ userId }) => userId) ?? []),
  ])

/** Checks that decided trains stay as they are; changing one means changing its release. */
function checkDecided(
  { cadence, undecidedFrom }: AppPlan,
  exceptions: Cadence['exceptions'],
  errors: InputErrors
): void {
  const known = byDate(cadence?.exceptions ?? [])
  for (const [index, each] of exceptions.entries()) {
    const isDecided = undecidedFrom !== null && each.date < undecidedFrom
    if (!isDecided || isDeepStrictEqual(known.get(each.date), each)) continue
    const message = decidedText(each.date)
    errors.add({ pointer: `/exceptions/${index}/date`, code: 'decided', message })
  }
}

const decidedText = (date: LocalDate) =>
  `The train of ${date} has already been drafted or skipped: change its release, or create one.`

function titleOf(cadence: Cadence | null, followsAppId: string | null): string {
  if (cadence === null) return 'The schedule cadence was removed'
  const { enabled, paused, intervalWeeks } = cadence
  if (!enabled) return 'The schedule cadence is switched off'
  const often = intervalWeeks === 1 ? 'every week' : `every ${intervalWeeks} weeks`
  const like = followsAppId === null ? '' : ` with ${followsAppId}`
  return `A release starts ${often}${like}${paused ? '; the cadence is paused' : ''}`
}
