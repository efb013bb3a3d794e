import { changeAppPlan } from '#planning/plans/plans'
import { planDrafting } from '#planning/cadence/plan_drafting'
import type { ItemStatus } from '#releases/vocabulary'
import type { RehearsalPlan, ReleaseAhead } from './plan.js'
import { refusalOf } from './refusal_of.js'
import type { Stage } from './set_up.js'

interface HeldItem {
  id: string
  kind: string
  title: string
  status: { type: ItemStatus }
}

/**
 * Recreates the releases that the app has planned or under way: with their kickoff, and the
 * statuses of their items. Everything else, such as builds, is played again.
 * @param refused receives everything that could not be recreated
 */
export async function playOn(
  stage: Stage,
  { ahead, undecidedFrom }: RehearsalPlan,
  refused: (text: string) => void
): Promise<void> {
  const { service, appId } = stage
  for (const release of ahead) {
    const named = `${release.version} is not as it is in the app`
    const attempt = async (work: () => Promise<unknown>) => {
      try {
        await work()
        return true
      } catch (error) {
        refused(`${named}: ${refusalOf(error).message}`)
        return false
      }
    }
    if (!(await attempt(() => make(stage, release)))) continue
    const params = { appId, releaseId: `${appId}:${release.version}` }
    if (release.isKickedOff) await attempt(() => service.ask('kickOffRelease', { params }))
    const held: HeldItem[] = await service.ask('listReleaseChecklistItems', { params })
    for (const each of release.items) {
      const item = held.find(({ kind, title }) => kind === each.kind && title === each.title)
      if (item) await attempt(() => settle(stage, { ...params, checklistItemId: item.id }, each))
    }
  }
  // Trains that the app has decided on are not drafted again.
  if (undecidedFrom !== null) {
    await service.write(async (scope) => {
      await changeAppPlan(scope, appId, { undecidedFrom })
      await planDrafting(scope, appId)
    })
  }
}

function make({ service, appId }: Stage, release: ReleaseAhead): Promise<unknown> {
  const { version, releaseName, pilot, isHotfix } = release
  const { targetKickoffAt, targetSubmitAt, targetReleaseAt } = release
  const body = {
    ...{ version, releaseName, targetKickoffAt, targetSubmitAt, targetReleaseAt },
    ...(pilot !== null && { releasePilotId: pilot }),
    ...(isHotfix && { releaseType: 'hotfix' }),
  }
  return service.ask('createRelease', { params: { appId }, body })
}

async function settle(
  { service }: Stage,
  params: Record<string, string>,
  { kind, status, approvedBy }: ReleaseAhead['items'][number]
): Promise<void> {
  const set = (body: object) => service.ask('updateChecklistItemStatus', { params, body })
  if (kind !== 'approval') return void (await set({ status }))
  if (status === 'rejected') return void (await set({ status }))
  for (const userEmail of approvedBy) await set({ status: 'approved', userEmail })
}
