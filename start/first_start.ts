import type { ApplicationService } from '@adonisjs/core/types'
import { unrestricted } from '#foundation/core/principal'
import { CreateKey } from '#organizations/actions/create_key'
import { CreateOrganization } from '#organizations/actions/create_organization'

/**
 * Makes the first organization and admin key when there is none, and shows the key once.
 * Later starts print nothing of this.
 */
export async function createFirstOrganization(app: ApplicationService): Promise<void> {
  const database = await app.container.make('lucid.db')
  const known = await database.from('organizations').select('id').first()
  if (known) return

  const clock = await app.container.make('clock')
  const unitOfWork = await app.container.make('unitOfWork')
  const organization = await new CreateOrganization(database, clock).handle({
    name: 'My organization',
  })
  const actor = { type: 'system', id: null, name: 'first start' } as const
  const { key } = await unitOfWork.inTransaction(
    { organization, actor, permissions: unrestricted },
    (scope) => new CreateKey(scope).handle({ name: 'First admin key', admin: true })
  )

  const base =
    process.env.PUBLIC_URL?.replace(/\/+$/, '') ?? `http://${process.env.HOST}:${process.env.PORT}`
  console.log(`
Tarmac is ready. It made an organization and an admin key, shown this once:

  organization  ${organization.id}
  API key       ${key}

The key is valid for a year; the console command key:rotate renews it. Try it:

  curl -H 'X-API-Key: ${key}' ${base}/org/${organization.id}

The reference page is at ${base}/docs
`)
}
