import type { Assert } from '@japa/assert'
import { earlier } from '#foundation/core/clock'
import { clock } from '#foundation/core/services'
import { CreateKey } from '#organizations/actions/create_key'
import { RevokeKey } from '#organizations/actions/revoke_key'
import { UpdateOrganization } from '#organizations/actions/update_organization'
import { Api } from './api.js'
import { makeApp, makeSignedIn } from './app_fixture.js'
import { Fixtures } from './fixtures.js'
import { snapshot } from './snapshot.js'
import { makeWorld } from './world.js'

export type Parties = Awaited<ReturnType<typeof makeParties>>

/** Makes an organization with keys of every kind, and another one with the same entities. */
async function makeParties() {
  const [mine, theirs] = [new Fixtures(await makeWorld()), new Fixtures(await makeWorld())]
  const { world } = mine
  const elsewhere = await makeApp(world)
  // People have only the rights of their groups.
  await world.write((scope) =>
    new UpdateOrganization(scope).handle({ roleBasedAccessEnabled: true })
  )
  // The same entities again in the same organization, below other parents.
  const siblings = new Fixtures(world)
  const unusable = await world.write(async (scope) => {
    const keys = new CreateKey(scope)
    const revoked = await keys.handle({ name: 'revoked', admin: true })
    await new RevokeKey(scope).handle(revoked.id)
    const expiresAt = earlier(clock.now(), 1)
    const expired = await keys.handle({ name: 'expired', admin: true, expiresAt })
    return { revoked: revoked.key, expired: expired.key }
  })
  return {
    mine,
    theirs,
    siblings,
    unusable,
    powerless: await world.keyed(),
    people: {
      powerless: new Api(await makeSignedIn(world, { email: 'eve@acme.example', admin: false })),
      stranger: new Api(await makeSignedIn(theirs.world)),
    },
    restricted: await world.keyed({ groups: ['Engineering Managers'], appIds: [elsewhere] }),
  }
}

/** Makes the parties once per file of tests: tests of other files may empty whole tables. */
export function partiesOfFile(): () => Promise<Parties> {
  let made: Promise<Parties> | undefined
  return () => (made ??= makeParties())
}

/** Checks that some work adds, changes and removes no row of either organization. */
export async function writingNothing(
  assert: Assert,
  { mine, theirs }: Parties,
  work: () => Promise<void>
) {
  const ids = [mine.world.organizationId, theirs.world.organizationId]
  const before = await snapshot(ids)
  await work()
  assert.deepEqual(await snapshot(ids), before)
}
