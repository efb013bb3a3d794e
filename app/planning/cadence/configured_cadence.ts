import type { Scope } from '#foundation/core/scope'
import { peopleOf } from '#organizations/queries/people'
import type { DraftChanges } from '../actions/move_drafts.js'
import { SetCadence } from '../actions/set_cadence.js'
import type { Cadence, CadenceException, PilotAbsence } from '../calendar/cadence.js'
import { appPlan } from '../plans/plans.js'

/** An exception in a configuration file, with the e-mail address of the pilot. */
type ConfiguredException = Omit<CadenceException, 'pilotId'> & {
  releasePilot: string | null
}

/** An absence in a configuration file, with the e-mail address of the user. */
type ConfiguredAbsence = Omit<PilotAbsence, 'userId'> & { user: string }

/** An app's own cadence in a configuration file. */
type OwnCadenceConfiguration = Omit<Cadence, 'exceptions' | 'absences'> & {
  exceptions: ConfiguredException[]
  absences: ConfiguredAbsence[]
}

/** The cadence of another app that an app follows, in a configuration file. */
export type FollowedCadenceConfiguration = Pick<Cadence, 'enabled' | 'paused'> & {
  followsAppId: string
}
export type CadenceConfiguration = OwnCadenceConfiguration | FollowedCadenceConfiguration

export const isFollowing = (
  configured: CadenceConfiguration
): configured is FollowedCadenceConfiguration => 'followsAppId' in configured

/**
 * Returns a cadence in the form of the configuration file. Users who left are omitted.
 * @param addressOf returns the e-mail address of a user; null for a user who left
 */
export function configurationOf(
  { exceptions, absences, ...configured }: Cadence,
  addressOf: (userId: string) => string | null
): OwnCadenceConfiguration {
  return {
    ...configured,
    exceptions: exceptions.flatMap(({ pilotId, ...each }) => {
      const releasePilot = pilotId && addressOf(pilotId)
      const isEmpty = releasePilot === null && !each.skipped && each.movedTo === null
      return isEmpty ? [] : [{ ...each, releasePilot }]
    }),
    absences: absences.flatMap(({ userId, from, to }) => {
      const user = addressOf(userId)
      return user === null ? [] : [{ user, from, to }]
    }),
  }
}

/** Returns the cadence of an app in the form of the configuration file; null without one. */
export async function configuredCadence(
  scope: Scope,
  appId: string
): Promise<CadenceConfiguration | null> {
  const { cadence, followsAppId } = await appPlan(scope, appId)
  if (cadence === null || followsAppId === null) return ownCadence(scope, appId)
  const { enabled, paused } = cadence
  return { followsAppId, enabled, paused }
}

/** Returns the cadence of an app as its own, even if the app follows another; null without one. */
export async function ownCadence(
  scope: Scope,
  appId: string
): Promise<OwnCadenceConfiguration | null> {
  const { cadence } = await appPlan(scope, appId)
  if (cadence === null) return null
  const { exceptions, absences } = cadence
  const pilotIds = exceptions.flatMap(({ pilotId }) => pilotId ?? [])
  const people = await peopleOf(scope, [...pilotIds, ...absences.map(({ userId }) => userId)])
  return configurationOf(cadence, (id) => people.get(id)?.email ?? null)
}

/**
 * Sets the cadence of an app from its configuration; null removes it.
 * @returns the changes to existing drafts
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
