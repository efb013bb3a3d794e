import db from '@adonisjs/lucid/services/db'
import { workPlanned } from '#foundation/jobs/tests/support/work_planned'
import type { IntegrationData } from '#integrations/settings'
import { replaceIntegrations } from '#integrations/store_integrations'
import { connect } from '#integrations/tests/support/connect'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { CiInMemory } from './memory_ci.js'
import { kickedOffRelease } from './support.js'

/** Creates a release of an app whose CI is in memory. */
export async function withCi(data: IntegrationData = { workflowId: 'release.yml' }) {
  const ci = new CiInMemory()
  await loadTestPlugins({ 'memory-ci': async () => ({ default: ci.plugin }) })
  const given = await kickedOffRelease()
  const { world, app: appId, path } = given
  const { id: provider } = await connect(world, 'memory-ci')
  await world.write(async (scope) => {
    const integration = { key: 'ci', type: 'circleci', kind: 'ci', provider, data } as const
    await replaceIntegrations(scope, appId, [integration])
  })
  await db.from('releases').where('app_id', appId).update({ release_branch: 'release/1.4.0' })
  const trigger = async (body: object = {}) => {
    const { stepRunId } = await given.step()
    return world.admin.post(`${path}/stepRun/${stepRunId}/triggerCI`, body)
  }
  const active = async () => (await given.run((await given.step()).stepRunId)).data.activeBuild
  return { ...given, ci, trigger, active, provider, work: () => workPlanned(world.organizationId) }
}
