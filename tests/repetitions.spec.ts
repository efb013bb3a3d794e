import { test } from '@japa/runner'
import { isWrite } from '#foundation/api/operation/declaration'
import { operations } from '#foundation/api/operation/registry'
import type { Api } from './support/api.js'
import { UNREPEATABLE, repeatedWrites } from './support/repeated_writes.js'
import { makeRepeatable } from './support/repeated_writes/repeatable.js'
import { snapshot } from './support/snapshot.js'
import { makeWorld } from './support/world.js'

/*
 * A write that changes nothing leaves no trace: every repeatable write is sent twice here, and the
 * second time changes no row of the organization: no event, no audit entry, no `updated_at`. An
 * operation that cannot be repeated says why.
 */

/** Makes something of everything, and the repeatable writes to it. */
async function repeatable() {
  const world = await makeWorld()
  return { ...world, writes: repeatedWrites(await makeRepeatable(world)) }
}

const tagOf = async (admin: Api, path?: string) => path && (await admin.get<any>(path)).headers.etag

test.group('A write that changes nothing', () => {
  test('leaves every row and every tag as it was, whatever the operation', async ({ assert }) => {
    const { writes, admin, organizationId } = await repeatable()
    for (const [operation, list] of Object.entries(writes)) {
      for (const { method, path, options, tagged, status = 200 } of list) {
        const send = () => admin.send<any>(method, path, options)
        const label = `${operation} ${JSON.stringify(options?.json ?? '')}`
        const first = await send()
        assert.equal(first.status, status, `${label}: ${first.text}`)
        const tag = await tagOf(admin, tagged)
        const before = await snapshot([organizationId])
        const again = await send()
        assert.equal(again.status, status, `${label}: ${again.text}`)
        assert.deepEqual(await snapshot([organizationId]), before, label)
        assert.equal(await tagOf(admin, tagged), tag, label)
      }
    }
  })

  test('is asked of every operation that writes, or cannot be', async ({ assert }) => {
    const { writes } = await repeatable()
    const writing = operations.all().filter(isWrite)
    assert.sameMembers(
      [...Object.keys(writes), ...Object.keys(UNREPEATABLE)],
      writing.map(({ id }) => id)
    )
  })
})
