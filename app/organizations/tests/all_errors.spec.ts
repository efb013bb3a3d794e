import { test } from '@japa/runner'
import { makeUser } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'

const errorsOf = ({ body }: { body: any }): string[] =>
  body.errors.map(({ pointer, code }: any) => `${pointer} ${code}`)

test.group('All errors of groups and their members', () => {
  test('are listed: names and actions together with unknown addresses', async ({ assert }) => {
    const world = await makeWorld()
    const path = `/org/${world.organizationId}/group`
    await makeUser(world, 'ada@acme.example')
    const broken = {
      name: '',
      userActions: ['EditRelease', 'Fly'],
      userEmails: ['ada@acme.example', 'no address', 'eve@acme.example'],
    }
    const made = await world.admin.post(path, broken)
    const ERRORS = [
      '/name min_length',
      '/userActions/1 enum',
      '/userEmails/1 email',
      '/userEmails/2 unknown_user',
    ]
    assert.sameMembers(errorsOf(made), ERRORS)
    const { body } = await world.admin.post(path, { name: 'Crew', userActions: [] })
    assert.sameMembers(errorsOf(await world.admin.put(`${path}/${body.id}`, broken)), ERRORS)
  })

  test('are listed if a body names users in neither of the two ways', async ({ assert }) => {
    const world = await makeWorld()
    const path = `/org/${world.organizationId}/users/groups`
    const put = async (body: object) => errorsOf(await world.admin.put(path, body))
    assert.deepEqual(await put({}), ['/users required'])
    assert.deepEqual(await put({ email: 'ada@acme.example' }), ['/groupIds required'])
    assert.deepEqual(await put({ groupIds: [] }), ['/email required'])
    assert.deepEqual(await put({ groupIds: 'x' }), ['/groupIds array', '/email required'])
    assert.sameMembers(await put({ users: [], email: 5 }), [
      '/users array_min_length',
      '/email string',
      '/users ambiguous',
    ])
  })
})
