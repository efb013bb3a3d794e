import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import type { Scope } from '#foundation/core/scope'
import type { Cadence } from '../calendar/cadence.js'
import { appPlan, type AppPlan } from '../plans/plans.js'
import { followersOf } from '../queries/followers.js'
import { isAsShown } from './shown_cadence.js'
import type { SetCadenceInput } from '../validators/planning_input.js'

/** Returns the cadence of an app that follows another: the leader's, with switches of its own. */
export const followedCadence = (
  { cadence }: AppPlan,
  { enabled, paused }: Pick<Cadence, 'enabled' | 'paused'>
): Cadence | null => cadence && { ...cadence, enabled, paused }

/**
 * Collects the errors of following the cadence of another app.
 * @returns the cadence as it will be; undefined if it cannot be determined
 */
export async function checkFollowed(
  scope: Scope,
  plan: AppPlan,
  { followsAppId, ...given }: PartiallyValid<SetCadenceInput> & { followsAppId: string },
  errors: InputErrors
): Promise<Cadence | undefined> {
  // A leader that is already followed is accepted even if the requester cannot see it: an admin may
  // have chosen it.
  const exists =
    (followsAppId === plan.followsAppId || scope.sees(followsAppId)) &&
    (await scope.table('apps').where('id', followsAppId).select('id').first()) !== null
  const leader = exists ? await appPlan(scope, followsAppId) : null
  checkLeadersMembers(plan, leader, { ...given, followsAppId }, errors)
  const fault = await faultOf(scope, plan.appId, leader)
  if (fault) {
    const [code, message] = fault
    errors.add({ pointer: '/followsAppId', code, message })
    return undefined
  }
  const { enabled = true, paused = false } = plan.cadence ?? {}
  return followedCadence(leader!, {
    enabled: given.enabled ?? enabled,
    paused: given.paused ?? paused,
  })!
}

/** Members that a following app sets for itself. */
const OWN_MEMBERS = new Set(['followsAppId', 'enabled', 'paused'])

/** Refuses values of members that the leader determines, unless they equal the present ones. */
function checkLeadersMembers(
  { cadence, followsAppId }: AppPlan,
  leader: AppPlan | null,
  given: PartiallyValid<SetCadenceInput> & { followsAppId: string },
  errors: InputErrors
): void {
  // The client may have read the values just before the leader changed. Values from before the app
  // followed are refused.
  const shown = followsAppId === given.followsAppId ? cadence : null
  const known = [leader?.cadence, shown].filter((each) => each !== null && each !== undefined)
  for (const name of Object.keys(given) as (keyof SetCadenceInput)[]) {
    if (given[name] === undefined || OWN_MEMBERS.has(name)) continue
    if (known.some((each) => isAsShown(each, name as keyof Cadence, given))) continue
    const message = `This comes from ${given.followsAppId}, whose cadence the app follows.`
    errors.add({ pointer: `/${name}`, code: 'followed', message })
  }
}

async function faultOf(
  scope: Scope,
  appId: string,
  leader: AppPlan | null
): Promise<[code: string, message: string] | null> {
  if (leader === null) return ['unknown_app', 'There is no app with this id.']
  if (leader.appId === appId) return ['itself', 'An app cannot follow its own cadence.']
  if (leader.followsAppId !== null) {
    return [
      'follows',
      `That app follows the cadence of ${leader.followsAppId}: follow that one instead.`,
    ]
  }
  if (leader.cadence === null) return ['no_cadence', 'That app has no cadence.']
  if ((await followersOf(scope, appId)).length === 0) return null
  return ['is_followed', 'Other apps follow the cadence of this one.']
}
