import { test } from '@japa/runner'
import { makeFeatures } from '#features/tests/support'
import { makeWorld } from '#tests/support/world'

type Made = Awaited<ReturnType<typeof makeFeatures>>

/** Creates two releases, with commits on all branches between and behind them. */
async function makeHistory(cleanup: Parameters<typeof makeFeatures>[0]) {
  const made = await makeFeatures(cleanup)
  const { repository, tracker, release, kickOff, look, admin, path } = made
  const named: Record<string, string> = {}
  const commit = (name: string, draft: Parameters<Made['repository']['commit']>[0] = {}) =>
    (named[name] = repository.commit({ message: name, ...draft }))
  commit('ancient')
  repository.git('tag', 'v0.9.0', 'main')
  tracker.set('SHOP-1', { versions: ['1.0.0'] })
  commit('one', { message: 'SHOP-1 One (#11)' })
  repository.git('branch', 'topic', 'main')
  commit('topic one', { branch: 'topic' })
  commit('two')
  commit('merge', { merge: 'refs/heads/topic' })
  await release('1.0.0')
  await kickOff('1.0.0')
  commit('next')
  commit('brought back', { branch: 'release/1.0.0' })
  commit('merge back', { merge: 'refs/heads/release/1.0.0' })
  commit('left behind', { branch: 'release/1.0.0' })
  await look()
  repository.git('tag', 'v1.0.0', 'release/1.0.0')
  await admin.put(`${path('1.0.0')}/complete`)
  await release('1.1.0')
  await kickOff('1.1.0')
  commit('after')
  await look()
  return { ...made, named, commit }
}

/** Creates a generator of whole numbers below a limit. The same seed gives the same numbers. */
function chances(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test.group('GET /app/{appId}/whereIs', () => {
  test('200 the releases whose branch has the commit, as git says', async ({ assert, cleanup }) => {
    const { named, repository, admin, app } = await makeHistory(cleanup)
    const has = (branch: string, hash: string) =>
      repository.git(
        'branch',
        '--contains',
        hash,
        '--list',
        branch,
        '--format=%(refname:short)'
      ) === branch
    for (const [name, hash] of Object.entries(named)) {
      const expected = ['1.1.0', '1.0.0'].filter((version) => has(`release/${version}`, hash))
      const { status, body } = await admin.get(`/app/${app}/whereIs?commit=${hash}`)
      const found = body.apps?.[0].releases.map(({ version }: any) => version) ?? []
      // Commits before the first release are in none of the ranges.
      if (name === 'ancient') assert.equal(status, 404)
      else assert.deepEqual(found, expected, name)
    }
    const { body } = await admin.get(`/app/${app}/whereIs?commit=${named.one.slice(0, 12)}`)
    assert.deepEqual(
      body.apps[0].releases.map(({ version, how }: any) => [version, how]),
      [
        ['1.1.0', 'before'],
        ['1.0.0', 'introduced'],
      ]
    )
    assert.deepEqual(
      body.apps[0].commits.map(({ hash }: any) => hash),
      [named.one]
    )
  })

  test('200 by pull request and ticket, with picks and without what was taken back', async ({
    assert,
    cleanup,
  }) => {
    const { admin, app, commit, look, named } = await makeHistory(cleanup)
    const versions = async (query: string) => {
      const { status, body } = await admin.get(`/app/${app}/whereIs?${query}`)
      return status === 200 ? body.apps[0].releases.map(({ version }: any) => version) : status
    }
    assert.deepEqual(await versions('pullRequest=11'), ['1.1.0', '1.0.0'])
    assert.deepEqual(await versions('ticket=shop-1'), ['1.1.0', '1.0.0'])
    assert.deepEqual(await versions(`commit=${named.after}`), [])
    const branch = 'release/1.1.0'
    const message = `after\n\n(cherry picked from commit ${named.after})`
    const pick = commit('pick', { branch, message })
    await look()
    assert.deepEqual(await versions(`commit=${named.after}`), ['1.1.0'])
    commit('revert', { branch, message: `No\n\nThis reverts commit ${pick}.` })
    await look()
    assert.deepEqual(await versions(`commit=${named.after}`), [])
    assert.equal(await versions('ticket=SHOP-404'), 404)
    assert.equal(await versions('commit=0123456789'), 404)
  })

  test('200 picks that say nothing of where they are from, and no other change', async ({
    assert,
    cleanup,
  }) => {
    const { admin, app, commit, look, named, repository } = await makeHistory(cleanup)
    const branch = 'release/1.1.0'
    const pick = commit('pick', { branch, message: 'after' })
    commit('of another', { branch, message: 'Another change' })
    await look()
    // Git treats two commits as the same change only if text and author match. So does this
    // service.
    const author = (hash: string) => repository.git('log', '-1', '--format=%an %s', hash)
    assert.equal(author(pick), author(named.after))
    const { body } = await admin.get(`/app/${app}/whereIs?commit=${named.after}`)
    assert.deepEqual(
      body.apps[0].releases.map(({ version, how }: any) => [version, how]),
      [['1.1.0', 'introduced']]
    )
    assert.sameMembers(
      body.apps[0].commits.map(({ hash }: any) => hash),
      [named.after, pick]
    )
    const { body: other } = await admin.get(`/app/${app}/whereIs?commit=${named['of another']}`)
    assert.deepEqual(
      other.apps[0].commits.map(({ hash }: any) => hash),
      [named['of another']]
    )
  })

  test('200 each commit of histories made at random, as git says', async ({ assert, cleanup }) => {
    const made = await makeFeatures(cleanup)
    const { repository, release, kickOff, look, admin, path, app } = made
    const chance = chances(Number(process.env.TEST_SEED ?? 20261122))
    const all: string[] = []
    const commit = (draft: Parameters<Made['repository']['commit']>[0]) =>
      all.push(repository.commit({ message: `Commit ${all.length}`, ...draft }))
    commit({})
    repository.git('tag', 'v0.1.0', 'main')
    let topics = 0
    for (const minor of [2, 3, 4]) {
      const own = `release/0.${minor}.0`
      const before = `release/0.${minor - 1}.0`
      const walk = async (steps: number, branches: readonly string[]) => {
        for (let step = 0; step < steps; step++) {
          const branch = branches[chance(branches.length)]
          if (chance(3) > 0) commit({ branch })
          else {
            const topic = `topic-${++topics}`
            const back = chance(2)
            const depth = Number(repository.git('rev-list', '--first-parent', '--count', branch))
            repository.git('branch', topic, `${branch}~${Math.min(back, depth - 1)}`)
            for (let each = 0; each <= chance(2); each++) commit({ branch: topic })
            commit({ branch, merge: `refs/heads/${topic}` })
          }
          if (chance(4) === 0) await look()
        }
      }
      await walk(4, ['main'])
      await release(`0.${minor}.0`)
      await kickOff(`0.${minor}.0`)
      await walk(5, minor > 2 ? ['main', own, before] : ['main', own])
      if (chance(2) === 0) commit({ branch: 'main', merge: `refs/heads/${own}` })
      await look()
      repository.git('tag', `v0.${minor}.0`, own)
      if (minor < 4) await admin.put(`${path(`0.${minor}.0`)}/complete`)
    }
    await look()
    const has = (version: string, hash: string) => {
      // A branch is not polled after its release is over.
      const ends = version === '0.4.0' ? `release/${version}` : `v${version}`
      return repository.git('rev-list', ends).split('\n').includes(hash)
    }
    for (const hash of all.slice(1)) {
      const { status, body } = await admin.get(`/app/${app}/whereIs?commit=${hash}`)
      const found = status === 200 ? body.apps[0].releases.map(({ version }: any) => version) : []
      const expected = ['0.4.0', '0.3.0', '0.2.0'].filter((version) => has(version, hash))
      assert.deepEqual(found, expected, hash)
    }
  }).timeout(120_000)

  test('200 builds of working branches, from the change on', async ({ assert, cleanup }) => {
    const { admin, app, named, world, look, commit } = await makeHistory(cleanup)
    commit('later')
    await look()
    const { newId } = await import('#foundation/core/ids')
    const { ciBuilds } = await import('#builds/tables')
    await world.write((scope) =>
      scope.insert(
        ciBuilds,
        ['next', 'after', 'later'].map((name) => ({
          ...{ id: newId('build'), appId: app, installationId: null, integrationId: 'generic-ci' },
          ...{ buildIdentifier: name, isRequested: false, status: 'success' as const },
          ...{ branch: 'main', baseBranch: null, commitHash: named[name] },
          ...{ commitMessage: null, commitAuthor: null, commitUrl: null, url: null },
          ...{ workflowId: 'dev', workflowName: 'dev', startedAt: scope.now, finishedAt: null },
          ...{ version: null, releaseId: null, createdBy: scope.actor },
          ...{ createdAt: scope.now, updatedAt: scope.now },
        }))
      )
    )
    const builds = async (name: string) => {
      const { body } = await admin.get(`/app/${app}/whereIs?commit=${named[name]}`)
      assert.isTrue(body.apps[0].builds.every(({ releaseId }: any) => releaseId === null))
      return body.apps[0].builds.map(({ buildIdentifier }: any) => buildIdentifier).sort()
    }
    assert.deepEqual(await builds('after'), ['after', 'later'])
    assert.deepEqual(await builds('later'), ['later'])
  })

  test('200 builds that were made with it', async ({ assert, cleanup }) => {
    const { admin, app, named, world } = await makeHistory(cleanup)
    const { newId } = await import('#foundation/core/ids')
    const { ciBuilds } = await import('#builds/tables')
    const { readRelease } = await import('#releases/queries/read_release')
    const ids: Record<string, string> = {}
    await world.write(async (scope) => {
      const { release } = await readRelease(scope, app, `${app}:1.0.0`)
      for (const name of ['two', 'merge', 'left behind']) {
        ids[name] = newId('build')
        await scope.insert(ciBuilds, [
          {
            ...{ id: ids[name], appId: app, installationId: null, integrationId: 'generic-ci' },
            ...{ buildIdentifier: name, isRequested: false, status: 'success' },
            ...{ branch: 'release/1.0.0', baseBranch: null, commitHash: named[name] },
            ...{ commitMessage: null, commitAuthor: null, commitUrl: null, url: null },
            ...{ workflowId: 'rc', workflowName: 'rc', startedAt: scope.now, finishedAt: null },
            ...{ version: '1.0.0', releaseId: release.id, createdBy: scope.actor },
            ...{ createdAt: scope.now, updatedAt: scope.now },
          },
        ])
      }
    })
    const builds = async (name: string) => {
      const { body } = await admin.get(`/app/${app}/whereIs?commit=${named[name]}`)
      return body.apps[0].builds.map(({ buildIdentifier }: any) => buildIdentifier).sort()
    }
    assert.deepEqual(await builds('topic one'), ['left behind', 'merge'])
    assert.deepEqual(await builds('two'), ['left behind', 'merge', 'two'])
    assert.deepEqual(await builds('left behind'), ['left behind'])
  })

  test('422 unless one change is named, 404 for another organization', async ({
    assert,
    cleanup,
  }) => {
    const { admin, app, named } = await makeHistory(cleanup)
    for (const query of ['', '?commit=0123456&ticket=A-1']) {
      const { status, body } = await admin.get(`/app/${app}/whereIs${query}`)
      assert.deepEqual([status, body.errors[0].parameter], [422, 'commit'])
    }
    assert.equal((await admin.get(`/app/${app}/whereIs?pullRequest=x`)).status, 400)
    assert.equal((await admin.get(`/app/${app}/whereIs?commit=xyz`)).status, 400)
    const other = await makeWorld()
    const foreign = await other.admin.get(`/app/${app}/whereIs?commit=${named.one}`)
    assert.equal(foreign.status, 404)
  })
})
