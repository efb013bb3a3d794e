import type { Scope } from '#foundation/core/scope'
import { peopleOf } from '#organizations/queries/people'
import type { DraftChanges } from '../actions/move_drafts.js'
import { SetCadence } from '../actions/set_cadence.js'
import type { Cadence, CadenceException, PilotAbsence } from '../calendar/cadence.js'
import { appPlan } from '../plans/plans.js'

/** An exception as a configuration file describes it: the pilot by e-mail address. */
type ConfiguredException = Omit<CadenceException, 'pilotId'> & {
  releasePilot: string | null
}

/** Days that somebody is away, as a file describes them. */
type ConfiguredAbsence = Omit<PilotAbsence, 'userId'> & { user: string }

/** A cadence of an app's own, as a file describes it. */
type OwnCadenceConfiguration = Omit<Cadence, 'exceptions' | 'absences'> & {
  exceptions: ConfiguredException[]
  absences: ConfiguredAbsence[]
}

/** The cadence of another app, as a file describes it. */
export type FollowedCadenceConfiguration = Pick<Cadence, 'enabled' | 'paused'> & {
  followsAppId: string
}
export type CadenceConfiguration = OwnCadenceConfiguration | FollowedCadenceConfiguration

export const isFollowing = (
  configured: CadenceConfiguration
): configured is FollowedCadenceConfiguration => 'followsAppId' in configured

/**
 * Returns the cadence for a configuration file.
 * @param addressOf returns a user's address; null for a user who left, who is omitted
 */
export function configurationOf(
  { exceptions, absences, ...configured }: Cadence,
  addressOf: (userId: string) => string | null
): OwnCadenceConfiguration {
  return {
    ...configured,
    exceptions: exceptions.flatMap(({ pilotId, ...each }) => {
      const releasePilot = pilotId && addressOf(pilotId)
      const saysNothing = releasePilot === null && !each.skipped && each.movedTo === null
      return saysNothing ? [] : [{ ...each, releasePilot }]
    }),
    absences: absences.flatMap(({ userId, from, to }) => {
      const user = addressOf(userId)
      return user === null ? [] : [{ user, from, to }]
    }),
  }
}

/** Returns the cadence of an app as a configuration file describes it; null without one. */
export async function configuredCadence(
  scope: Scope,
  appId: string
): Promise<CadenceConfiguration | null> {
  const { cadence, followsAppId } = await appPlan(scope, appId)
  if (cadence === null || followsAppId === null) return ownCadence(scope, appId)
  const { enabled, paused } = cadence
  return { followsAppId, enabled, paused }
}

/** Returns the cadence of an app as if it were its own, also where it follows another app. */
export async function ownCadence(
  scope: Scope,
  appId: string
): Promise<OwnCadenceConfiguration | null> {
  const { cadence } = await appPlan(scope, appId)
  if (cadence === null) return null
  const { exceptions, absences } = cadence
  const named = exceptions.flatMap(({ pilotId }) => pilotId ?? [])
  const people = await peopleOf(scope, [...named, ...absences.map(({ userId }) => userId)])
  return configurationOf(cadence, (id) => people.get(id)?.email ?? null)
}

/**
 * Sets the cadence of an app to its configuration; null removes it.
 * @returns the changes of existing drafts
 */
export async function storeConfiguredCadence(
  scope: Scope,
  appId: string,
  configured: CadenceConfiguration | null
): Promise<DraftChanges> {
  const set = new SetCadence(scope)
  if (configured && isFollowing(configured)) return set.handle(appId, configured)
  return set.store(appId, configured && (await cadenceOf(scope, configured)))
}

async function cadenceOf(
  scope: Scope,
  { exceptions, absences, ...configured }: OwnCadenceConfiguration
): Promise<Cadence> {
  const emails = [
    ...exceptions.flatMap(({ releasePilot }) => releasePilot ?? []),
    ...absences.map(({ user }) => user),
  ]
  const users: { id: string; email: string }[] =
    emails.length === 0
      ? []
      : await scope.table('users').whereIn('email', emails).select('id', 'email')
  const ids = new Map(users.map(({ id, email }) => [email, id]))
  return {
    ...configured,
    exceptions: exceptions.map(({ releasePilot, ...each }) => ({
      ...each,
      pilotId: releasePilot && (ids.get(releasePilot) ?? null),
    })),
    absences: absences.flatMap(({ user, ...each }) => {
      const userId = ids.get(user)
      return userId === undefined ? [] : [{ userId, ...each }]
    }),
  }
}
