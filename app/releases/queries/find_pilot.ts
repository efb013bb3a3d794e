import { PILOTS_GROUP } from '#organizations/vocabulary'
import { refuseField } from '#foundation/core/problems/problem'
import type { Instant } from '#foundation/core/clock'
import type { Scope } from '#foundation/core/scope'
import { planningPort } from '../ports.js'
import { nextTurn, type PilotRotation } from '../rotation/pilot_rotation.js'

/**
 * Finds a user who is not deactivated, by id or e-mail address.
 * @returns the id
 * @throws invalid_input if there is none
 */
export async function findPilot(scope: Scope, idOrEmail: string): Promise<string> {
  const user = await scope
    .table('users')
    .where((query) => query.where('id', idOrEmail).orWhere('email', idOrEmail.toLowerCase()))
    .whereNull('deactivated_at')
    .select('id')
    .first()
  if (user) return user.id
  throw refuseField('/releasePilotId', 'unknown_user', 'There is no user with this id or address.')
}

/**
 * Returns the rotation of an app: the members of the group Release Pilots who are users of the app
 * (or all members if there are none), in the order in which they joined. `last` is the pilot of the
 * app's newest release with a pilot of the rotation.
 */
export async function pilotRotation(scope: Scope, appId: string): Promise<PilotRotation> {
  const members: { user_id: string }[] = await scope
    .table('group_members')
    .join('groups', 'groups.id', 'group_members.group_id')
    .where({ 'groups.name': PILOTS_GROUP, 'groups.is_default': true })
    .orderBy('group_members.created_at')
    .orderBy('group_members.user_id')
    .select('group_members.user_id')
  if (members.length === 0) return { members: [], last: null }
  const users: { user_id: string }[] = await scope
    .table('app_users')
    .where('app_id', appId)
    .select('user_id')
  const ofApp = new Set(users.map((user) => user.user_id))
  const own = members.filter((member) => ofApp.has(member.user_id))
  const rotation = (own.length > 0 ? own : members).map((member) => member.user_id)
  return { members: rotation, last: await lastPilot(scope, appId, rotation) }
}

/**
 * Returns the next pilot of the app's rotation for a release with this kickoff time; null if the
 * rotation is empty.
 */
export async function nextPilot(scope: Scope, appId: string, at: Instant): Promise<string | null> {
  const rotation = await pilotRotation(scope, appId)
  const away = new Set(await planningPort.provided.away(scope, appId, at))
  return nextTurn(rotation, (member) => away.has(member))
}

/** Number of newest releases to compare: more than concurrent requests can create at once. */
const MAX_RELEASES = 100

/** Returns the pilot of the newest release whose pilot is in the rotation. */
async function lastPilot(
  scope: Scope,
  appId: string,
  rotation: readonly string[]
): Promise<string | null> {
  const latest: { id: string; pilot_id: string }[] = await scope
    .table('releases')
    .where('app_id', appId)
    .whereIn('pilot_id', [...rotation])
    .orderBy('created_at', 'desc')
    .limit(MAX_RELEASES)
    .select('id', 'pilot_id')
  if (latest.length === 0) return null
  // Timestamps of concurrent requests may be out of order; their events are not.
  const last: { release_id: string } | null = await scope
    .table('events')
    .whereIn(
      'release_id',
      latest.map((release) => release.id)
    )
    .where('position', 1)
    .orderBy('sequence', 'desc')
    .select('release_id')
    .first()
  return (latest.find((release) => release.id === last?.release_id) ?? latest[0]).pilot_id
}
