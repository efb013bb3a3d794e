import { test } from '@japa/runner'
import { ConsoleCommand, consolePrincipal, type Outcome } from '../console/console_command.js'
import { runCommand } from '#tests/support/console'
import { makeWorld } from '#tests/support/world'

test.group('An operation at the console', () => {
  test('sends If-Match if the organization requires it', async ({ assert }) => {
    const { admin, organizationId, principal } = await makeWorld()
    const at = `/org/${organizationId}/group`
    const group = (await admin.post(at, { name: 'Crew', userActions: [] })).body
    const strict = consolePrincipal({ ...principal.organization, requireIfMatch: true })
    const rename = (name: string, ifMatch?: string) => {
      class Rename extends ConsoleCommand {
        static override commandName = 'test:rename'
        protected async work(): Promise<Outcome> {
          const params = { groupId: group.id }
          const given = { params, body: { name }, ifMatch }
          return { document: await this.execute('updateGroup', strict, given), text: '' }
        }
      }
      return runCommand(Rename, [])
    }
    const tag = (await admin.get(`${at}/${group.id}`)).headers.etag

    const without = await rename('None')
    assert.deepEqual(
      [without.code, without.stderr],
      [1, 'This organization requires If-Match on every write to an entity.']
    )
    assert.equal((await rename('Named', tag)).document.name, 'Named')
    const stale = await rename('Stale', tag)
    assert.equal(stale.code, 1)
    assert.include(stale.stderr, 'If-Match does not name the current state')
    assert.equal((await rename('Any', '*')).document.name, 'Any')
  })
})
