import { join } from 'node:path'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import type { TestContext } from '@japa/runner/core'
import type { BranchSettings } from '#apps/settings'
import { makeFolder, TestRepository } from '#integrations/providers/git/tests/support/repositories'
import { replaceIntegrations } from '#integrations/store_integrations'
import { connect } from '#integrations/tests/support/connect'
import { makeTrain } from './release_world.js'

/** Lets a worker carry out all due jobs, including those that they plan. */
export async function workAway(): Promise<void> {
  const worker = await app.container.make('jobs.worker')
  for (let turn = 0; turn < 20; turn++) if ((await worker.turn()) === 0) return
}

/** Returns the content of a file of a repository on a branch or at a tag. */
export const fileAt = ({ repository }: { repository: TestRepository }, ref: string, path: string) =>
  repository.git('show', `${ref}:${path}`)

/** Returns a package file with a version. */
export const packageAt = (version: string) => `{ "name": "acme", "version": "${version}" }\n`

/** Creates an app with a train that is connected with a git repository. */
export async function makeCode(
  cleanup: TestContext['cleanup'],
  options: Parameters<typeof makeTrain>[1] & { branches?: Partial<BranchSettings> } = {}
) {
  const folder = makeFolder(cleanup)
  const repository = new TestRepository(join(folder, 'app.git'))
  const train = await makeTrain([], options)
  const { world, app: appId } = train
  const { id: provider } = await connect(world, 'git', { settings: { baseUrl: folder } })
  await world.write(async (scope) => {
    await replaceIntegrations(scope, appId, [
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
    await db.from('apps').where('id', appId).update({ branch_settings: settings })
  }
  await setBranches(options.branches)
  /** Sets the files of the app that contain the version. */
  const setVersionFiles = async (...versionFiles: string[]) => {
    const { settings } = await db.from('apps').where('id', appId).firstOrFail()
    const changed = JSON.stringify({ ...JSON.parse(settings), versionFiles })
    await db.from('apps').where('id', appId).update({ settings: changed })
  }
  return { ...train, folder, repository, provider, setBranches, setVersionFiles }
}
