import { operations } from '#foundation/api/operation/registry'
import type { Paths } from './something_of_everything.js'
import type { World } from './world.js'

const last = (path: string) => decodeURIComponent(path.split('/').at(-1)!)

/**
 * Requests every answer that may be kept about the given entities: the first time, so that it is
 * kept; later, so that it is compared with a fresh one (cached_and_fresh.ts).
 */
export async function readWhatIsKept(world: World, paths: Paths): Promise<void> {
  const params: Record<string, string> = {
    orgId: world.organizationId,
    groupId: last(paths.group),
    appId: last(paths.app),
    releaseId: paths.id,
    stepId: paths.step('regressionTesting'),
    checklistItemId: paths.regression,
    bucketId: last(paths.bucket),
  }
  for (const { id, path: template, isOfStored } of operations.all()) {
    if (!isOfStored) continue
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (!params[name]) throw new Error(`Say in tests/support/kept_reads.ts what {${name}} is`)
      return encodeURIComponent(params[name])
    })
    const { status } = await world.admin.get(path, { uncounted: true })
    if (status >= 500) throw new Error(`${id} is not as it was made anew`)
  }
}
