import type { ApplicationService } from '@adonisjs/core/types'
import type { Database } from '@adonisjs/lucid/database'
import { newId } from '#foundation/core/ids'
import { unrestricted, type Tenant } from '#foundation/core/principal'
import { CreateKey } from '#organizations/actions/create_key'
import { CreateOrganization } from '#organizations/actions/create_organization'
import { CreateSignInLink } from '#pages/session/actions/create_sign_in_link'

const ACTOR = { type: 'system', id: null, name: 'first start' } as const

/**
 * Creates the first organization with its admin key and a sign-in link for its first admin, in one
 * transaction, and prints them once. Later starts print the address of the service and, if no API
 * key exists, how to create one.
 */
export async function createFirstOrganization(app: ApplicationService): Promise<void> {
  const database = await app.container.make('lucid.db')
  const base =
    process.env.PUBLIC_URL?.replace(/\/+$/, '') ?? `http://${process.env.HOST}:${process.env.PORT}`
  const known = await database.from('organizations').select('id').orderBy('created_at').first()
  if (known) {
    console.log(`Tarmac is ready at ${base}, its reference page at ${base}/docs`)
    return showHowToMakeKey(database, known.id)
  }

  const clock = await app.container.make('clock')
  const unitOfWork = await app.container.make('unitOfWork')
  const organization: Tenant = {
    id: newId('org'),
    name: 'My organization',
    requireIfMatch: false,
  }
  const { key, path } = await unitOfWork.inTransaction(
    { organization, actor: ACTOR, permissions: unrestricted },
    async (scope) => {
      const { id, name } = organization
      await new CreateOrganization(database, clock).within(scope.transaction, { name }, id)
      const made = await new CreateKey(scope).handle({ name: 'First admin key', admin: true })
      const link = await new CreateSignInLink(scope).handle({ userId: null, admin: true })
      return { key: made.key, path: link.path }
    }
  )

  console.log(`
Tarmac is ready. It made an organization, an admin key and a link, shown this once:

  organization  ${organization.id}
  API key       ${key}
  first sign-in ${app.config.get<string>('app.serviceUrl')}${path}

The link makes whoever opens it an admin, once and within 24 hours; later links are made by the
console command user:link. The key is valid for a year; key:rotate renews it. Try it:

  curl -H 'X-API-Key: ${key}' ${base}/org/${organization.id}

The reference page is at ${base}/docs
`)
}

/**
 * Helps with an organization that was created without a key, at the console or by an earlier
 * version.
 */
async function showHowToMakeKey(database: Database, organizationId: string): Promise<void> {
  if (await database.from('api_keys').select('id').first()) return
  console.log(`
No API key was made yet; this makes one and shows it once:

  npm run -s ace -- key:create --org=${organizationId} --name=admin --admin
`)
}
