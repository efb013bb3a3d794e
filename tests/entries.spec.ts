import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { isWrite } from '#foundation/api/operation/declaration'
import { operations } from '#foundation/api/operation/registry'
import { readWhatIsKept } from './support/kept_reads.js'
import { SavedRows } from './support/saved_rows.js'
import { makePaths, type Paths } from './support/something_of_everything.js'
import { SHOWN_ELSEWHERE, WRITES } from './support/written_entries.js'
import type { Write } from './support/written_entries/write.js'
import { makeWorld, type World } from './support/world.js'

/*
 * Every write leaves its trace: the entries that it adds to the timelines of releases, to the
 * timeline of the app and to the audit of the organization. No write leaves a stale cached response.
 * Actors and titles are checked for all writes here, data in the specs of the modules.
 */

/** Returns events and audit entries by id; events in the order of their timelines. */
async function traces(world: World) {
  const of = (table: string) => db.from(table).where('organization_id', world.organizationId)
  const events: any[] = await of('events')
    .orderBy('release_id')
    .orderBy('position')
    .orderBy('sequence')
  return { events, audit: (await of('audit_entries')) as any[] }
}

async function carryOut(world: World, paths: Paths, { send }: Write) {
  const [method, path, options] = send(paths)
  const { status, text } = await world.admin.send(method, path, options)
  if (status >= 400) throw new Error(`${method} ${path}: ${text}`)
}

const typesOf = (events: readonly { type: string }[]) => [
  ...new Set(events.map(({ type }) => type)),
]

/** Makes one world for all writes; each begins with its rows as they were made. */
async function makeShared() {
  const world = await makeWorld()
  const paths = await makePaths(world)
  return { world, paths, saved: await SavedRows.of(world.organizationId) }
}

let shared: ReturnType<typeof makeShared> | undefined

async function restored() {
  const { world, paths, saved } = await (shared ??= makeShared())
  await saved.restore()
  return { world, paths }
}

test.group('Every write leaves its trace', () => {
  for (const [operation, list] of Object.entries(WRITES)) {
    test(operation, async ({ assert }) => {
      const { world, paths } = await restored()
      if (operation === 'unskipRelease') await carryOut(world, paths, WRITES.skipRelease[0])
      for (const [index, write] of list.entries()) {
        const before = await traces(world)
        await readWhatIsKept(world, paths)
        await carryOut(world, paths, write)
        await readWhatIsKept(world, paths)
        const after = await traces(world)
        const known = new Set([...before.events, ...before.audit].map(({ id }) => id))
        const events = after.events.filter(({ id }) => !known.has(id))
        const audit = after.audit.filter(({ id }) => !known.has(id))
        const ofReleases = events.filter((event) => event.release_id !== null)
        const ofApp = events.filter((event) => event.release_id === null)
        const label = `${operation} ${index}`
        const { release = [], app = [], audit: audited = [] } = write
        assert.deepEqual(typesOf(ofReleases), release, label)
        assert.deepEqual(typesOf(ofApp), app, label)
        assert.deepEqual(
          audit.map(({ action }) => action),
          audited,
          label
        )
        if (!write.none) assert.isNotEmpty([...release, ...app, ...audited], label)
        for (const { actor, title } of events) {
          assert.containsSubset(JSON.parse(actor), { type: 'apiKey', name: 'admin' })
          assert.isNotEmpty(title)
        }
      }
    })
  }

  test('there is no other operation that writes', async ({ assert }) => {
    const writing = operations.all().filter(isWrite)
    assert.sameMembers(
      [...Object.keys(WRITES), ...Object.keys(SHOWN_ELSEWHERE)],
      writing.map(({ id }) => id)
    )
  })
})
