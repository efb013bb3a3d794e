import { test } from '@japa/runner'
import { makeItemWorld } from './helpers/items.js'

test.group('GET /app/{appId}/release/{releaseId}/checklistItems', () => {
  test('200 lists items in the order of the steps, then by position', async ({ assert }) => {
    const { item, titles } = await makeItemWorld()
    await item('checklistItem', { title: 'submission 5', position: 5 })
    await item('checklistItem', { title: 'submission 2', position: 2 })
    await item('approval', { title: 'approval' })
    await item('regressionItem', { title: 'regression' })
    await item('checklistItem', { title: 'kickoff', stepType: 'kickoff' })
    assert.deepEqual(
      (await titles()).map(([title]) => title),
      ['kickoff', 'regression', 'approval', 'submission 2', 'submission 5']
    )
  })

  test('200 lists only items for the type of the release', async ({ assert }) => {
    const { item, release, titles, app } = await makeItemWorld()
    await item('approval', { title: 'always' })
    await item('approval', { title: 'majors', releaseTypes: ['major'] })
    await item('approval', { title: 'hotfixes', releaseTypes: ['hotfix'] })
    await item('approval', { title: 'points', releaseTypes: ['point'] })
    const hotfix = await release({
      version: '1.0.1',
      releaseType: 'hotfix',
      baseTag: { name: '1.0.0' },
    })
    const names = async (id: string) => (await titles(id)).map(([title]) => title)
    assert.deepEqual(await names(`${app}:1.0.0`), ['always', 'majors'])
    assert.deepEqual(await names(hotfix), ['always', 'hotfixes'])
  })

  test('200 combines the filters by kind, status and step type', async ({ assert }) => {
    const { admin, app, releaseId, item, setStatus } = await makeItemWorld()
    const legal = await item('approval', { title: 'Legal' })
    await item('approval', { title: 'Brand' })
    await item('checklistItem', { title: 'Beside', stepType: 'approvals' })
    await setStatus(legal.id, 'approved')
    const list = async (query: string) =>
      (await admin.get(`/app/${app}/release/${releaseId}/checklistItems?${query}`)).body.map(
        (each: any) => each.title
      )
    assert.deepEqual(await list('kind=approval'), ['Legal', 'Brand'])
    assert.sameMembers(await list('stepType=approvals'), ['Legal', 'Brand', 'Beside'])
    assert.deepEqual(await list('status=approved'), ['Legal'])
    assert.deepEqual(await list('status=notStarted&stepType=approvals&kind=checklist'), ['Beside'])
    assert.deepEqual(await list('stepType=takeoff'), [])
  })

  test('404 for an unknown release, 422 for an unknown word', async ({ assert }) => {
    const { admin, app, releaseId } = await makeItemWorld()
    assert.equal((await admin.get(`/app/${app}/release/${app}:4.4.4/checklistItems`)).status, 404)
    const path = `/app/${app}/release/${releaseId}/checklistItems`
    for (const query of ['kind=task', 'status=done', 'stepType=lunch']) {
      assert.equal((await admin.get(`${path}?${query}`)).status, 422, query)
    }
  })
})
