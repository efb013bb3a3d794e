import type { ApplicationService } from '@adonisjs/core/types'
import router from '@adonisjs/core/services/router'
import db from '@adonisjs/lucid/services/db'
import type { Authenticator } from '#foundation/api/authenticator'
import { HttpAdapter } from '#foundation/api/http/http_adapter'
import { mount } from '#foundation/api/operation/mount'
import { operations } from '#foundation/api/operation/registry'
import { executor, quota } from '#foundation/api/services'
import { changes, clock, selects } from '#foundation/core/services'
import type { Principal } from '#foundation/core/principal'
import { ApiKeyAuthenticator } from '#organizations/api_key_authenticator'

/*
 * Operations for pages alone have no route. In tests they get one each, at their own path, so that
 * whatever walks over operations walks over them as well; a person is let in there by an id.
 */

/** Operations that only pages carry out. */
export const ofPages = operations.all().filter(({ surface }) => surface === 'pages')

/** Gives the operations of pages their routes in tests. */
export async function mountPageOperations(app: ApplicationService): Promise<void> {
  const adapter = new HttpAdapter({
    authenticator: new KeysAndPeople(new ApiKeyAuthenticator(db, selects, clock)),
    quota,
    changes,
    executor,
    spool: await app.container.make('spool'),
    requireHttps: false,
    ready: () => true,
  })
  mount(ofPages, router, adapter)
}

/** Lets in a key, and a person by the id of the user. */
class KeysAndPeople implements Authenticator {
  constructor(private readonly keys: Authenticator) {}

  async authenticate(
    key: string,
    admit: (organizationId: string) => Promise<string>
  ): ReturnType<Authenticator['authenticate']> {
    if (!/^use?r_/.test(key)) return this.keys.authenticate(key, admit)
    const person = await principalOfPerson(key)
    const { organization } = person
    return { ...person, organization: { ...organization, changes: await admit(organization.id) } }
  }
}

/** The principal of a person who is signed in. */
export async function principalOfPerson(userId: string): Promise<Principal> {
  const user = await db.from('users').where('id', userId).firstOrFail()
  const organization = await db
    .from('organizations')
    .where('id', user.organization_id)
    .firstOrFail()
  const groups: { id: string; user_actions: string }[] = await db
    .from('groups')
    .join('group_members', 'group_members.group_id', 'groups.id')
    .where('group_members.user_id', userId)
    .select('groups.id', 'groups.user_actions')
  return {
    organization: { id: organization.id, name: organization.name, requireIfMatch: false },
    actor: { type: 'user', id: user.id, name: user.name ?? user.email },
    permissions: {
      admin: Boolean(user.admin),
      actions: new Set(groups.flatMap(({ user_actions: held }) => JSON.parse(held) as string[])),
      groupIds: groups.map(({ id }) => id),
      appIds: null,
    },
  }
}
