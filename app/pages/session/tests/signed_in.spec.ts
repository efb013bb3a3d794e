import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { selects } from '#foundation/core/services'
import { userActions } from '#organizations/vocabulary'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld, type World } from '#tests/support/world'
import { organizationOfApp } from '../queries/organization_of_app.js'
import { SignedIn } from '../signed_in.js'
import { addUser, Browser, forgetGuesses, joined, linkTo, PASSWORD } from './browser.js'

/** Returns the signed-in person of an account, as pages see them. */
async function signedIn(email: string): Promise<SignedIn> {
  const row = await db.from('accounts').where('email', email).firstOrFail()
  const { id, name } = row
  const account = { id, email, name, timeZone: null, theme: 'system' } as const
  return new SignedIn(account, 'sgn_1', row.last_organization_id)
}

/** Puts a person into a group by its name. */
async function addTo({ organizationId, write }: World, userId: string, group: string) {
  const { id } = await db
    .from('groups')
    .where({ organization_id: organizationId, name: group })
    .firstOrFail()
  await write((scope) =>
    scope.insertStored('group_members', [
      { group_id: id, user_id: userId, created_at: '2026-11-20T08:00:00.000Z' },
    ])
  )
  return id as string
}

/** Returns the statements that run during some work. */
async function asked(work: () => Promise<unknown>): Promise<string[]> {
  const reported: string[] = []
  const { rows } = selects
  selects.rows = (statement, bindings) => {
    reported.push(statement.rest)
    return rows.call(selects, statement, bindings) as never
  }
  await work()
  selects.rows = rows
  return reported
}

test.group('The signed-in person', (group) => {
  group.each.setup(forgetGuesses)

  test('is a user with all actions, unless access is by role', async ({ assert }) => {
    const world = await makeWorld()
    const { email, userId } = await joined(world)
    const person = await signedIn(email)
    const qa = await addTo(world, userId, 'QA')
    const principal = await person.principalOf(world.organizationId)
    assert.containsSubset(principal, {
      organization: { id: world.organizationId, requireIfMatch: false },
      actor: { type: 'user', id: userId, name: 'Ada Lovelace' },
      permissions: { admin: false, groupIds: [qa], appIds: null },
    })
    assert.sameMembers([...principal!.permissions.actions], [...userActions])

    await db
      .from('organizations')
      .where('id', world.organizationId)
      .update({ role_based_access_enabled: true })
    const byRole = await person.principalOf(world.organizationId)
    const { user_actions: held } = await db.from('groups').where('id', qa).firstOrFail()
    assert.sameMembers([...byRole!.permissions.actions], JSON.parse(held))
    assert.isBelow(byRole!.permissions.actions.size, userActions.length)
    await db.from('users').where('id', userId).update({ admin: true })
    assert.isTrue((await person.principalOf(world.organizationId))!.permissions.admin)
  })

  test('is read again only after a change in the organization', async ({ assert }) => {
    const world = await makeWorld()
    const { email, userId } = await joined(world)
    const person = await signedIn(email)
    const ask = () => person.principalOf(world.organizationId)
    const first = await ask()
    assert.exists(first!.organization.changes)
    const poll = await asked(async () => assert.strictEqual(await ask(), first))
    assert.lengthOf(poll, 1)
    assert.match(poll[0], /event_counters/)
    await addTo(world, userId, 'QA')
    const later = await ask()
    assert.notStrictEqual(later, first)
    assert.lengthOf(later!.permissions.groupIds, 1)
    await db.from('users').where('id', userId).update({ account_id: null })
    assert.isNull(await ask())
  })

  test('is nobody in an organization that the account does not belong to', async ({ assert }) => {
    const [world, other] = [await makeWorld(), await makeWorld()]
    const { email } = await joined(world)
    // Being added is not enough: an admin may add any address.
    await addUser(other, email)
    const person = await signedIn(email)
    assert.isNull(await person.principalOf(other.organizationId))
    assert.isNull(await person.principalOf('org_nothing'))
    const [own, foreign] = [await makeApp(world), await makeApp(other)]
    assert.equal(await organizationOfApp(own, person.account.id), world.organizationId)
    assert.isNull(await organizationOfApp(foreign, person.account.id))
    assert.deepEqual(
      (await person.organizations()).map(({ id }) => id),
      [world.organizationId]
    )
  })

  test('has organizations, of which one was used last', async ({ assert }) => {
    const [zebra, acme] = [await makeWorld('Zebra'), await makeWorld('Acme')]
    const { email, browser } = await joined(zebra)
    const { userId } = await addUser(acme, email)
    await new Browser().fill(await linkTo(acme, { userId }), { password: PASSWORD })
    const person = await signedIn(email)
    assert.deepEqual(
      (await person.organizations()).map(({ name }) => name),
      ['Acme', 'Zebra']
    )
    assert.equal(await person.lastOrganization(), acme.organizationId)
    await person.remember(zebra.organizationId)
    assert.equal((await browser.get('/')).location, `/dashboard/org/${zebra.organizationId}`)
    assert.equal(await (await signedIn(email)).lastOrganization(), zebra.organizationId)
  })
})
