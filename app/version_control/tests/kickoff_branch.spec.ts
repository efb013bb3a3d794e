import { renameSync } from 'node:fs'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { later } from '#foundation/core/clock'
import { clock } from '#foundation/core/services'
import { recordCall } from '#integrations/tests/support/record_call'
import { makeCode } from '#releases/tests/helpers/code_world'
import type { World } from '#tests/support/world'
import { reported, typesOf } from '#releases/tests/helpers/release_world'
import { branchOf } from '../repository/release_branch.js'

/** Carries out all due work. */
async function work() {
  const worker = await app.container.make('jobs.worker')
  await worker.turn()
}

/** Marks the branch command as attempted without a result. */
async function begin({ organizationId }: World, attempts = 1) {
  await db
    .from('jobs')
    .where({ kind: 'release.branch', organization_id: organizationId })
    .update({ attempts })
}

async function withRelease(
  cleanup: Parameters<typeof makeCode>[0],
  options: Parameters<typeof makeCode>[1] = {},
  input: object = {}
) {
  const code = await makeCode(cleanup, options)
  const root = code.repository.commit()
  const made = await code.admin.post(`/app/${code.app}/release`, { version: '1.2.0', ...input })
  if (made.status !== 201) throw new Error(made.text)
  const kickoff = () => code.admin.put(`${code.path('1.2.0')}/kickoff`)
  return { ...code, root, kickoff }
}

test.group('PUT /app/{appId}/release/{releaseId}/kickoff with version control', () => {
  test('200 the branch is cut from the working branch, and kicks the release off', async ({
    assert,
    cleanup,
  }) => {
    const code = await withRelease(cleanup)
    const { repository, root, kickoff, world, detail, timeline } = code
    const { status, body } = await kickoff()
    assert.deepEqual([status, body.kickedOffAt, body.releaseBranch], [200, null, null])
    assert.equal((await kickoff()).status, 200)
    assert.lengthOf([...repository.refs()], 1)
    await work()
    assert.equal(repository.refs().get('refs/heads/release/1.2.0'), root)
    const release = await detail('1.2.0')
    assert.equal(release.releaseBranch, 'release/1.2.0')
    assert.isNotNull(release.kickedOffAt)
    assert.notEqual(release.phase, 'upcoming')
    const events = await timeline('1.2.0')
    assert.includeMembers(typesOf(events), [
      'release.branchWanted',
      'release.branchMade',
      'release.kickedOff',
    ])
    assert.lengthOf(
      events.filter(({ type }) => type === 'release.branchWanted'),
      1
    )
    const made = events.find(({ type }) => type === 'release.branchMade')
    assert.deepEqual(made.data, { branch: 'release/1.2.0', commitHash: root, found: false })
    assert.include(typesOf(await reported(world)), 'release.kickedOff')
    assert.isNotNull(made.actor.name)
    await kickoff()
    await work()
    assert.deepEqual(await timeline('1.2.0'), events)
  })

  test('200 an existing branch is used, whatever its commit', async ({ assert, cleanup }) => {
    const { repository, kickoff, detail, timeline } = await withRelease(cleanup)
    repository.git('branch', 'release/1.2.0', 'main')
    const tip = repository.commit({ branch: 'release/1.2.0' })
    await kickoff()
    await work()
    assert.equal(repository.refs().get('refs/heads/release/1.2.0'), tip)
    assert.equal((await detail('1.2.0')).releaseBranch, 'release/1.2.0')
    const made = (await timeline('1.2.0')).find(({ type }) => type === 'release.branchMade')
    assert.containsSubset(made.data, { found: true, commitHash: tip })
  })

  test('200 the branch of a hotfix begins at its base tag', async ({ assert, cleanup }) => {
    const { repository, kickoff, root } = await withRelease(
      cleanup,
      {},
      { releaseType: 'hotfix', baseTag: { name: 'v1.1.0' } }
    )
    repository.git('tag', '-a', 'v1.1.0', '-m', 'One', root)
    repository.git('tag', 'v1.1.0-rc1', repository.commit())
    await kickoff()
    await work()
    assert.equal(repository.refs().get('refs/heads/hotfix/1.2.0'), root)
  })

  test('a failing connection is named with who can mend it, and tried again by a kickoff', async ({
    assert,
    cleanup,
  }) => {
    const code = await withRelease(cleanup)
    const { repository, kickoff, admin, path, provider, detail, timeline, step } = code
    const away = `${repository.path}.away`
    renameSync(repository.path, away)
    await kickoff()
    await work()
    assert.isNull((await detail('1.2.0')).kickedOffAt)
    assert.equal((await step('1.2.0', 'kickoff')).status, 'blocked')
    const { body } = await admin.get(`${path('1.2.0')}/whyNotMoving`)
    const [condition] = body.steps.find(({ type }: any) => type === 'kickoff').unmet
    assert.equal(condition.code, 'kickoff_failed')
    assert.include(condition.message, provider)
    assert.containsSubset(condition.who, [
      { type: 'userAction', name: 'AddRemoveEditIntegration' },
      { type: 'provider', name: provider },
    ])
    const failed = (await timeline('1.2.0')).find(({ type }) => type === 'release.branchFailed')
    assert.deepEqual(failed.data, { connection: provider })

    renameSync(away, repository.path)
    await kickoff()
    assert.equal((await step('1.2.0', 'kickoff')).status, 'notStarted')
    await work()
    assert.equal((await step('1.2.0', 'kickoff')).status, 'complete')
    assert.isTrue(repository.refs().has('refs/heads/release/1.2.0'))
  })

  test('a missing source branch, tag or name blocks the kickoff at once', async ({
    assert,
    cleanup,
  }) => {
    for (const [options, input, word] of [
      [{ branches: { workingBranch: 'nowhere' } }, {}, 'nowhere'],
      [{}, { releaseType: 'hotfix', baseTag: { name: 'v9' } }, 'v9'],
      [{ branches: { allPattern: '{releaseName}/x' } }, {}, 'release name'],
    ] as const) {
      const { kickoff, step, repository, timeline } = await withRelease(cleanup, options, input)
      await kickoff()
      await work()
      assert.equal((await step('1.2.0', 'kickoff')).status, 'blocked', word)
      const failed = (await timeline('1.2.0')).find(({ type }) => type === 'release.branchFailed')
      assert.include(failed.title, word)
      assert.lengthOf([...repository.refs()], 1)
    }
  })

  test('a release that was skipped, completed or deleted meanwhile gets no branch', async ({
    assert,
    cleanup,
  }) => {
    for (const change of ['skip', 'complete', 'delete'] as const) {
      const code = await withRelease(cleanup)
      await code.kickoff()
      if (change === 'delete') await code.admin.delete(code.path('1.2.0'))
      else await code.admin.put(`${code.path('1.2.0')}/${change}`)
      const entries = db.from('jobs').where('kind', 'release.branch')
      assert.lengthOf(
        await entries.where('organization_id', code.world.organizationId),
        0,
        'the command is taken back'
      )
      await work()
      assert.lengthOf([...code.repository.refs()], 1, change)
      if (change === 'delete') continue
      assert.isNull((await code.detail('1.2.0')).kickedOffAt)
    }
  })

  test('a retried command checks the release before each call, and after the last', async ({
    assert,
    cleanup,
  }) => {
    for (const change of ['skip', 'delete'] as const) {
      const code = await withRelease(cleanup)
      await code.kickoff()
      await begin(code.world)
      if (change === 'delete') await code.admin.delete(code.path('1.2.0'))
      else await code.admin.put(`${code.path('1.2.0')}/${change}`)
      await work()
      assert.lengthOf([...code.repository.refs()], 1, change)

      const failing = await withRelease(cleanup, { branches: { workingBranch: 'nowhere' } })
      await failing.kickoff()
      await begin(failing.world, 99)
      if (change === 'delete') await failing.admin.delete(failing.path('1.2.0'))
      else await failing.admin.put(`${failing.path('1.2.0')}/${change}`)
      await work()
      if (change === 'delete') continue
      assert.notInclude(typesOf(await failing.timeline('1.2.0')), 'release.branchFailed')
      assert.equal((await failing.step('1.2.0', 'kickoff')).status, 'notStarted')
    }
  })

  test('a release that is renamed meanwhile is kicked off by its new name', async ({
    assert,
    cleanup,
  }) => {
    for (const isBegun of [false, true]) {
      const code = await withRelease(cleanup)
      await code.kickoff()
      if (isBegun) await begin(code.world)
      await code.admin.put(code.path('1.2.0'), { version: '1.3.0' })
      for (let turn = 0; turn < 3; turn++) await work()
      const release = await code.detail('1.3.0')
      assert.equal(release.releaseBranch, 'release/1.3.0')
      assert.isNotNull(release.kickedOffAt)
      assert.isFalse(code.repository.refs().has('refs/heads/release/1.2.0'))
      const events = await code.timeline('1.3.0')
      assert.lengthOf(
        events.filter(({ type }) => type === 'release.kickedOff'),
        1
      )
    }
  })

  test('settings that changed meanwhile are followed', async ({ assert, cleanup }) => {
    for (const [allPattern, name] of [
      ['train/{version}', 'train/1.2.0'],
      ['production', null],
    ] as const) {
      const code = await withRelease(cleanup)
      await code.kickoff()
      await code.setBranches({ allPattern })
      for (let turn = 0; turn < 2; turn++) await work()
      const release = await code.detail('1.2.0')
      assert.equal(release.releaseBranch, name)
      assert.isNotNull(release.kickedOffAt)
      assert.isFalse(code.repository.refs().has('refs/heads/release/1.2.0'))
    }
  })

  test('the kickoff names the person who requested it', async ({ assert, cleanup }) => {
    const code = await withRelease(cleanup)
    const key = await code.world.keyed({ groups: ['Release Pilots'] })
    const { status, text } = await key.put(`${code.path('1.2.0')}/kickoff`)
    assert.equal(status, 200, text)
    await work()
    const events = await code.timeline('1.2.0')
    const actorOf = (wanted: string) => events.find(({ type }) => type === wanted).actor
    const requested = actorOf('release.branchWanted')
    assert.equal(requested.type, 'apiKey')
    for (const type of ['release.branchMade', 'release.kickedOff']) {
      assert.deepEqual(actorOf(type), requested)
    }
  })

  test('a branch that all releases share is not cut', async ({ assert, cleanup }) => {
    const { kickoff, repository } = await withRelease(cleanup, {
      branches: { allPattern: 'production' },
    })
    const { body } = await kickoff()
    assert.isNotNull(body.kickedOffAt)
    await work()
    assert.lengthOf([...repository.refs()], 1)
  })
})

test.group('POST /app/{appId}/release with createBranch', () => {
  test('201 the branch of a hotfix is cut at once; without settings for it 409', async ({
    assert,
    cleanup,
  }) => {
    const { admin, app: appId, repository, detail } = await makeCode(cleanup)
    repository.git('tag', 'v1.1.0', repository.commit())
    const hotfix = (version: string, more: object) =>
      admin.post(`/app/${appId}/release`, {
        version,
        releaseType: 'hotfix',
        baseTag: { name: 'v1.1.0' },
        ...more,
      })
    const made = await hotfix('1.1.1', { createBranch: true })
    assert.equal(made.status, 201, made.text)
    await work()
    assert.equal((await detail('1.1.1')).releaseBranch, 'hotfix/1.1.1')
    const bare = await makeCode(cleanup, { branches: { allPattern: null, hotfixPattern: null } })
    const refused = await bare.admin.post(`/app/${bare.app}/release`, {
      version: '1.1.1',
      releaseType: 'hotfix',
      baseTag: { name: 'v1.1.0' },
      createBranch: true,
    })
    assert.deepEqual([refused.status, refused.body.code], [409, 'integration_missing'])
  })
})

test.group('GET /app/{appId}/release/{releaseId}/whyNotMoving with version control', () => {
  test('200 names a connection that does not answer and who can mend it, while the kickoff waits', async ({
    assert,
    cleanup,
  }) => {
    const { admin, path, world, provider, kickoff } = await withRelease(cleanup)
    const why = async () => (await admin.get(`${path('1.2.0')}/whyNotMoving`)).body
    const ofConnection = ({ steps, release }: any) =>
      [...steps.flatMap((step: any) => step.unmet), ...release].filter(
        ({ code }: { code: string }) => code === 'connection_failing'
      )
    assert.deepEqual(ofConnection(await why()), [])
    await recordCall(world, provider, 'unavailable')
    const result = await why()
    const kickoffStep = result.steps.find(({ type }: any) => type === 'kickoff')
    assert.containsSubset(kickoffStep.unmet, [
      {
        code: 'connection_failing',
        subject: { type: 'connection', id: provider },
        who: [
          { type: 'userAction', name: 'AddRemoveEditIntegration' },
          { type: 'provider', name: provider },
        ],
      },
    ])
    const approvals = result.steps.find(({ type }: any) => type === 'approvals')
    assert.notInclude(JSON.stringify(approvals), 'connection_failing')
    await recordCall(world, provider, null)
    assert.deepEqual(ofConnection(await why()), [])
    await recordCall(world, provider, 'timeout')
    await kickoff()
    await work()
    const done = (await why()).steps.find(({ type }: any) => type === 'kickoff')
    assert.deepEqual(done.unmet, [])
  })

  test('200 shows when the branch is requested again, and why', async ({ assert, cleanup }) => {
    const { admin, path, world, kickoff } = await withRelease(cleanup)
    await kickoff()
    const at = later(clock.now(), 3_600_000)
    await world.write((scope) =>
      scope.table('jobs').where('kind', 'release.branch').update({
        visible_at: at,
        last_error: 'The repository is still being copied',
      })
    )
    const { next } = (await admin.get(`${path('1.2.0')}/whyNotMoving`)).body
    const message = 'The branch is requested again: The repository is still being copied'
    assert.deepInclude(next, { at, what: 'branch', message })
  })
})

test.group('The branch of a release', () => {
  const branches = {
    integration: 'code',
    allPattern: 'release/{versionConcise}',
    hotfixPattern: 'hotfix/{version}',
    workingBranch: 'main',
  }
  const release = { version: '1.2.0', releaseName: null, baseTag: null }

  test('follows the pattern of its kind, or the general one for a hotfix without a pattern', ({
    assert,
  }) => {
    const plain = { ...release, createType: 'release' } as const
    const hotfix = {
      ...release,
      createType: 'hotfix',
      baseTag: { name: 'v1', commitHash: null },
    } as const
    const tag = { branch: null, tag: 'v1', commit: null }
    assert.deepEqual(branchOf({ branches }, plain), {
      name: 'release/1.2',
      from: { branch: 'main', tag: null, commit: null },
    })
    assert.deepEqual(branchOf({ branches }, hotfix), { name: 'hotfix/1.2.0', from: tag })
    assert.deepEqual(branchOf({ branches: { ...branches, hotfixPattern: null } }, hotfix), {
      name: 'release/1.2',
      from: tag,
    })
  })

  test('is null without settings, and for rollbacks', ({ assert }) => {
    const plain = { ...release, createType: 'release' } as const
    assert.isNull(branchOf({ branches: null }, plain))
    assert.isNull(branchOf({ branches: { ...branches, allPattern: null } }, plain))
    assert.isNull(branchOf({ branches }, { ...release, createType: 'rollback' }))
  })
})
