import { join } from 'node:path'
import db from '@adonisjs/lucid/services/db'
import type { TestContext } from '@japa/runner/core'
import type { BranchSettings } from '#apps/settings'
import { makeFolder, TestRepository } from '#integrations/providers/git/tests/support/repositories'
import { replaceIntegrations } from '#integrations/store_integrations'
import { connect } from '#integrations/tests/support/connect'
import { makeTrain } from './release_world.js'

/** An app with a train, and a repository of git that it is connected with. */
export async function makeCode(
  cleanup: TestContext['cleanup'],
  options: Parameters<typeof makeTrain>[1] & { branches?: Partial<BranchSettings> } = {}
) {
  const folder = makeFolder(cleanup)
  const repository = new TestRepository(join(folder, 'app.git'))
  const train = await makeTrain([], options)
  const { world, app } = train
  const { id: provider } = await connect(world, 'git', { settings: { baseUrl: folder } })
  await world.write(async (scope) => {
    await replaceIntegrations(scope, app, [
      {
        key: 'code',
        type: 'git-vcs',
        kind: 'versionControl',
        provider,
        data: { repoName: 'app.git' },
      },
    ])
  })
  const setBranches = async (changed: Partial<BranchSettings> = {}) => {
    const branches = {
      integration: 'code',
      allPattern: 'release/{version}',
      hotfixPattern: 'hotfix/{version}',
      workingBranch: 'main',
      ...changed,
    }
    const settings = JSON.stringify([branches])
    await db.from('apps').where('id', app).update({ branch_settings: settings })
  }
  await setBranches(options.branches)
  return { ...train, folder, repository, provider, setBranches }
}
