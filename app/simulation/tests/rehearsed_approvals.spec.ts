import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { withLiveVersion } from '#comparison/tests/support'
import { makeUser } from '#tests/support/app_fixture'
import { DEEDS, type Person } from '../rehearsal/deeds.js'
import { RehearsedService } from '../rehearsal/service.js'

test.group('People of a rehearsal', () => {
  test('approve a change of the build by a member of its groups, whoever takes care of it', async ({
    assert,
  }) => {
    const { world, app: appId, build, release } = await withLiveVersion()
    await build('1.1.0', { number: '11', uses: ['camera', 'location'] })
    const people: Person[] = []
    for (const [name, ...groups] of [['grace'], ['lea', 'Legal'], ['linus']]) {
      const email = `${name}@acme.example`
      const id = await makeUser(world, email, groups)
      people.push({ email, actor: { type: 'user', id, name } })
    }
    const [{ id, title }] = await release.items()
    const about = {
      release: { id: `${appId}:1.1.0`, version: '1.1.0' },
      reason: { condition: { code: 'item_not_done', subject: { type: 'approval', id } } },
      by: people[0],
      before: 0,
    }
    const service = await RehearsedService.of(app, world.principal)
    await DEEDS.item_not_done!.deed({ service, people, appId } as never, about as never)
    assert.deepEqual(await release.approvals(), [`${title}: approved`])
    const [{ approvals }] = await release.items()
    assert.deepEqual(
      approvals.map(({ actor }: any) => actor.id),
      [people[1].actor.id]
    )
  })
})
