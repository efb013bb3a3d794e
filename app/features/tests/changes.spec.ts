import { test } from '@japa/runner'
import { makeFeatures } from '#features/tests/support'
import { newId } from '#foundation/core/ids'
import { makeWorld } from '#tests/support/world'
import { changeKeys, changesBetween, type Change } from '../queries/changes_between.js'
import { featureItems } from '../tables.js'

/** Returns a stored work item of a pull request alone. */
const pullItem = (appId: string, releaseId: string, number: number) => ({
  ...{ id: newId('wi'), appId, releaseId, itemKey: `pull:${number}`, ticket: null },
  code: [
    {
      ...{
        type: 'pullRequest' as const,
        number,
        title: `Pull ${number}`,
        status: 'merged' as const,
      },
      ...{ url: null, author: null, baseBranch: null, mergedAt: null },
    },
  ],
  ...{ codeStatus: 'released' as const, codeType: 'pullRequest' as const },
  ...{ reason: 'ready' as const, digest: '', searchText: '', authors: '' },
  ...{ isGone: false, isMovedOut: false, ignored: false, ignoredBy: null, ignoredAt: null },
  createdAt: '2026-11-20T00:00:00.000Z',
})

/** Makes three released versions, each with a tag, and one that is under way. */
async function makeThree(cleanup: Parameters<typeof makeFeatures>[0]) {
  const made = await makeFeatures(cleanup)
  const { repository, tracker, release, kickOff, look, admin, path, app } = made
  const commit = (message: string, draft: Parameters<typeof repository.commit>[0] = {}) =>
    repository.commit({ message, ...draft })
  const ship = async (version: string) => {
    await look()
    repository.git('tag', `v${version}`, `release/${version}`)
    const { status, text } = await admin.put(`${path(version)}/complete`)
    if (status !== 200) throw new Error(text)
  }
  commit('Long ago')
  repository.git('tag', 'v0.9.0', 'main')
  tracker.set('SHOP-1', { title: 'Log in' })
  commit('SHOP-1 Log in')
  await release('1.0.0')
  await kickOff('1.0.0')
  const late = commit('Late fix')
  // The pick does not name its origin, and the change is in both.
  commit('Late fix', { branch: 'release/1.0.0' })
  await ship('1.0.0')
  await release('1.1.0')
  commit('SHOP-1 Log in faster (#12)')
  commit('Taken back')
  commit(`Revert\n\nThis reverts commit ${repository.git('rev-parse', 'main')}.`)
  commit('Dark mode')
  await kickOff('1.1.0')
  await ship('1.1.0')
  await release('1.2.0')
  await kickOff('1.2.0')
  commit('Picked later', { branch: 'release/1.2.0' })
  await look()
  const changes = async (query: string) => {
    const { status, body, text } = await admin.get(`/app/${app}/changes${query}`)
    if (status !== 200) throw new Error(text)
    return body.data.map(({ version, workItem }: any) => [
      version,
      workItem.ticket?.key ?? workItem.code[0].message,
      workItem.code.length,
    ]) as [string, string, number][]
  }
  return { ...made, changes, late }
}

test.group('GET /app/{appId}/changes', () => {
  test('200 lists what a version has and an earlier one lacks, newest first', async ({
    assert,
    cleanup,
  }) => {
    const { changes } = await makeThree(cleanup)
    const dark = ['1.1.0', 'Dark mode', 1]
    const faster = ['1.1.0', 'SHOP-1', 2]
    const picked = ['1.2.0', 'Picked later', 1]
    assert.sameDeepMembers(await changes('?from=1.0.0&to=1.1.0'), [dark, faster])
    const both = await changes('?from=1&to=1.2')
    assert.deepEqual(both[0], picked)
    assert.sameDeepMembers(both.slice(1), [dark, faster])
    // By default from the released version to the newest one.
    assert.deepEqual(await changes(''), [picked])
    assert.sameDeepMembers(await changes('?to=1.1.0'), [dark, faster])
    // Without an earlier version of the app, everything that was observed is new.
    assert.sameDeepMembers(await changes('?to=1.0.0'), [
      ['1.0.0', 'SHOP-1', 1],
      ['1.0.0', 'Late fix', 1],
    ])
  })

  test('200 lists an item of several versions once, with the code of all of them', async ({
    assert,
    cleanup,
  }) => {
    const { changes, repository, look } = await makeThree(cleanup)
    repository.commit({ branch: 'release/1.2.0', message: 'SHOP-1 Log in again' })
    await look()
    assert.deepInclude(await changes('?from=1.0.0&to=1.2.0'), ['1.1.0', 'SHOP-1', 3])
    assert.deepInclude(await changes('?from=1.1.0&to=1.2.0'), ['1.2.0', 'SHOP-1', 1])
  })

  test('200 in pages that hold each item once', async ({ assert, cleanup }) => {
    const { admin, app, changes } = await makeThree(cleanup)
    const all = await changes('?from=1.0.0&to=1.2.0')
    const found: string[] = []
    let next = `/app/${app}/changes?from=1.0.0&to=1.2.0&limit=1`
    for (let page = 0; page < 10 && next; page++) {
      const { body, headers } = await admin.get(next)
      found.push(...body.data.map(({ version }: any) => version))
      next = /^<(.+)>; rel="next"$/.exec(headers.link ?? '')?.[1] ?? ''
    }
    assert.deepEqual(
      found,
      all.map(([version]) => version)
    )
  })

  test('200 in pages that read no more at depth than at the start', async ({ assert, cleanup }) => {
    const { app, world } = await makeThree(cleanup)
    const LIMIT = 50
    const query = { from: '1.0.0', to: '1.2.0', limit: LIMIT }
    await world.write(async (scope) => {
      const releases = scope.table('releases').where('app_id', app)
      const { id: releaseId } = await releases.where('version', '1.1.0').firstOrFail()
      await scope.insert(
        featureItems,
        Array.from({ length: 400 }, (_, index) => pullItem(app, releaseId, 1000 + index))
      )
    })
    const found = new Set<string>()
    const read: number[] = []
    let after: readonly (string | number)[] | null = null
    do {
      const changes: Change[] = await world.write(async (scope) => {
        let answered = 0
        const rows = scope.rows.bind(scope)
        scope.rows = async (...given) => {
          const all = await rows(...given)
          answered += all.length
          return all as never
        }
        const { rows: all } = await changesBetween(scope, app, query, { limit: LIMIT, after })
        read.push(answered)
        return all
      })
      for (const { id } of changes) found.add(id)
      after = changes.length < LIMIT ? null : changeKeys(changes.at(-1)!)
    } while (after)
    assert.equal(found.size, 400 + 3)
    // The reads are bounded by a multiple of the page size.
    assert.isAtMost(Math.max(...read), 3 * LIMIT)
  })

  test('200 empty for an app without a release; 404, 422 and 400 for wrong versions', async ({
    assert,
    cleanup,
  }) => {
    const { admin, app } = await makeThree(cleanup)
    for (const query of ['?from=9.9.9', '?to=9.9.9']) {
      assert.equal((await admin.get(`/app/${app}/changes${query}`)).status, 404)
    }
    for (const query of ['?from=1.1.0&to=1.1.0', '?from=1.2.0&to=1.1.0']) {
      const { status, body } = await admin.get(`/app/${app}/changes${query}`)
      assert.deepEqual([status, body.errors[0].parameter], [422, 'from'])
    }
    assert.equal((await admin.get(`/app/${app}/changes?to=new`)).status, 400)
    const other = await makeWorld()
    assert.equal((await other.admin.get(`/app/${app}/changes`)).status, 404)
    const { body } = await other.admin.post(`/org/${other.organizationId}/app/config`, undefined, {
      raw: 'name: Empty\nplatform: ios',
      headers: { 'content-type': 'application/yaml' },
    })
    assert.deepEqual((await other.admin.get(`/app/${body.id}/changes`)).body.data, [])
  })
})
