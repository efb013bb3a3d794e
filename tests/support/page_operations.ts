import type { ApplicationService } from '@adonisjs/core/types'
import router from '@adonisjs/core/services/router'
import db from '@adonisjs/lucid/services/db'
import type { Authenticator } from '#foundation/api/authenticator'
import { HttpAdapter } from '#foundation/api/http/http_adapter'
import { mount } from '#foundation/api/operation/mount'
import { operations } from '#foundation/api/operation/registry'
import { executor, quota } from '#foundation/api/services'
import { changes, clock, selects } from '#foundation/core/services'
import { ApiKeyAuthenticator } from '#organizations/api_key_authenticator'
import { PeopleOfAccounts } from '#pages/session/people_of_accounts'

/*
 * Operations for pages alone have no route. In tests each gets one at its own path, so that tests
 * over all operations cover them too. There, the id of a user serves as the key of that person.
 */

/** Operations that only pages use. */
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

/** Authenticates API keys, and people by the ids of their users. */
class KeysAndPeople implements Authenticator {
  readonly #people = new PeopleOfAccounts()

  constructor(private readonly keys: Authenticator) {}

  async authenticate(
    key: string,
    admit: (organizationId: string) => Promise<string>
  ): ReturnType<Authenticator['authenticate']> {
    if (!/^use?r_/.test(key)) return this.keys.authenticate(key, admit)
    const user = await db.from('users').where('id', key).firstOrFail()
    await admit(user.organization_id)
    return (await this.#people.principalOf(user.organization_id, user.account_id)) ?? 'key_invalid'
  }
}
