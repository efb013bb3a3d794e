import { test } from '@japa/runner'
import { makeRepository } from '#features/tests/git_releases'

test.group('The first release of an app, without a tag before it', () => {
  test('contains what its branch contains, and shows where a change is as later ones do', async ({
    assert,
    cleanup,
  }) => {
    const made = await makeRepository(cleanup, { hasEarlier: false })
    const { change, cut, ship, reported, inGit, admin, app, hashes, look, release } = made
    change('main', 'first')
    change('main', 'second')
    await release('1.0.0')
    await look()
    assert.deepEqual(await reported('first'), ['1.0.0'])
    await admin.delete(`/app/${app}/release/${app}:1.0.0`)
    await cut('1.0.0')
    change('main', 'later')
    await look()
    for (const name of ['first', 'second', 'later']) {
      assert.deepEqual(await reported(name), inGit(name), name)
    }
    await ship('1.0.0')
    const at = `/app/${app}/whereIs?commit=${hashes.get('first')}`
    const { body } = await admin.get(at)
    assert.containsSubset(body.apps[0], {
      releases: [{ version: '1.0.0', how: 'introduced', status: 'completed' }],
    })
    assert.isString(body.apps[0].share.since)
    await cut('1.1.0')
    for (const name of ['first', 'second', 'later']) {
      assert.deepEqual(await reported(name), inGit(name), name)
    }
    assert.deepEqual(inGit('later'), ['1.1.0'])
    const { body: second } = await admin.get(at)
    assert.containsSubset(second.apps[0].releases, [{ version: '1.1.0', how: 'before' }])
  })

  test('shows its work in feature readiness', async ({ assert, cleanup }) => {
    const { change, cut, admin, path, hashes } = await makeRepository(cleanup, {
      hasEarlier: false,
    })
    change('main', 'first')
    await cut('1.0.0')
    const { body } = await admin.get(`${path('1.0.0')}/featureReadiness/search`)
    assert.lengthOf(body.data, 2)
    assert.include(JSON.stringify(body.data), hashes.get('first')!)
  })

  test('409 for a fix that its branch has, and takes one that it has not', async ({
    assert,
    cleanup,
  }) => {
    const { change, cut, admin, path, hashes, look } = await makeRepository(cleanup, {
      hasEarlier: false,
    })
    change('main', 'first')
    await cut('1.0.0')
    change('main', 'later')
    await look()
    const ask = (name: string) =>
      admin.post(`${path('1.0.0')}/fixRequest`, {
        title: 'It crashes',
        commitHashes: [hashes.get(name)],
      })
    const refused = await ask('first')
    assert.deepEqual([refused.status, refused.body.code], [409, 'code_already_in'])
    assert.equal((await ask('later')).status, 201)
  })
})
