import { test } from '@japa/runner'
import type { ApiAnswer } from '#tests/support/api'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'

const yaml = (raw: string) => ({ raw, headers: { 'content-type': 'application/yaml' } })

async function changedApp() {
  const world = await makeWorld()
  const app = await makeApp(world)
  const path = `/app/${app}/timelineEvents`
  const change = (text: string) =>
    world.admin.patch(`/app/${app}/app/config`, undefined, yaml(text))
  return { world, app, path, change }
}

test.group('GET /app/{appId}/timelineEvents', () => {
  test('200 lists changes to the app, newest first, in the words of the dry run', async ({
    assert,
  }) => {
    const { world, app, path, change } = await changedApp()
    await world.admin.post(`/app/${app}/release`, { version: '1.0.0' })
    const text = 'name: Other\nappSettings: {versionFiles: [a.properties]}'
    const { body: plan } = await world.admin.patch(
      `/app/${app}/app/config?dryRun=true`,
      undefined,
      yaml(text)
    )
    await change(text)
    const { status, body } = await world.admin.get(path)
    assert.equal(status, 200)
    assert.lengthOf(body.data, 1)
    assert.containsSubset(body.data[0], {
      type: 'app.configurationChanged',
      actor: { type: 'apiKey', name: 'admin' },
      appId: app,
    })
    assert.deepEqual(body.data[0].data.changes, plan)
  })

  test('200 lists entries page by page, and filters them by type and time', async ({ assert }) => {
    const { world, app, path, change } = await changedApp()
    for (const name of ['One', 'Two', 'Three']) await change(`name: ${name}`)
    await world.admin.post(`/app/${app}/regressionItem`, { title: 'Log in' })
    const seen: string[] = []
    for (let next: string | null = `${path}?limit=1`; next;) {
      const { body, headers }: ApiAnswer<any> = await world.admin.get(next)
      seen.push(...body.data.map(({ id }: { id: string }) => id))
      next = /^<(.+)>; rel="next"$/.exec(headers.link ?? '')?.[1] ?? null
    }
    const { body } = await world.admin.get(path)
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      seen
    )
    assert.lengthOf(new Set(seen), 4)
    const added = await world.admin.get(`${path}?type=checklistItem.added`)
    assert.lengthOf(added.body.data, 1)
    const none = await world.admin.get(`${path}?to=2000-01-01T00:00:00Z`)
    assert.isEmpty(none.body.data)
  })

  test('200 a change too long to keep is recorded without its values', async ({ assert }) => {
    const { world, path, change } = await changedApp()
    const files = Array.from({ length: 200 }, (_, index) => `${'x'.repeat(90)}${index}.properties`)
    await change(`appSettings: {versionFiles: [${files.join(', ')}]}`)
    const { body } = await world.admin.get(path)
    const [reported] = body.data[0].data.changes
    assert.deepEqual(Object.keys(reported), ['op', 'path', 'effect'])
  })

  test('404 for another organization', async ({ assert }) => {
    const { path } = await changedApp()
    const stranger = await makeWorld()
    assert.equal((await stranger.admin.get(path)).status, 404)
  })
})
